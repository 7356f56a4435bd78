import { basename, dirname } from 'node:path';

/** Files that are referred to by their folder's name. */
const NAMED_AS_FOLDER = ['index', '__init__', 'mod'];

/** A line with a path relative to its own file; moving the file changes it. */
export const RELATIVE_PATH = /['"`(]\.{0,2}\//;

/** Matches a line that refers to the path: by its name, with or without extension, in a path or after a keyword. */
export function referenceTo(path: string): RegExp {
  const stem = basename(path).replace(/(?<=.)\..*$/, '');
  const names = NAMED_AS_FOLDER.includes(stem) ? [stem, basename(dirname(path))] : [stem];
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(
    `(?:['"\`/\\\\(.<]|\\b(?:from|import|use|require|include)\\s+)(?:${escaped.join('|')})(?![\\p{L}\\p{N}_-])`,
    'u',
  );
}
