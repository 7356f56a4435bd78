import { basename, dirname } from 'node:path';

/** Files that are referred to by the name of their folder. */
const NAMED_AS_FOLDER = ['index', '__init__', 'mod'];

/** A line with a path that begins at its own file: what moves has it begin somewhere else. */
export const RELATIVE_PATH = /['"`(]\.{0,2}\//;

/** What a line that refers to the path has in it: its name, with or without its ending, in a path or behind a keyword. */
export function referenceTo(path: string): RegExp {
  const stem = basename(path).replace(/(?<=.)\..*$/, '');
  const names = NAMED_AS_FOLDER.includes(stem) ? [stem, basename(dirname(path))] : [stem];
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(
    `(?:['"\`/\\\\(.<]|\\b(?:from|import|use|require|include)\\s+)(?:${escaped.join('|')})(?![\\p{L}\\p{N}_-])`,
    'u',
  );
}
