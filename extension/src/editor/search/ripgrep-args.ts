import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Patterns that both the editor's settings and ripgrep read alike; others are left to the editor. */
const PLAIN_GLOB = /^[\w.*/ @+-]{1,200}$/;

export interface Scope {
  readonly root: string;
  /** Patterns of the editor's settings that leave files out. */
  readonly excluded: readonly string[];
}

/** Lists the files of a project that a search looks into. */
export function listArgs(scope: Scope, only: readonly string[] = []): string[] {
  return [...common(scope), '--files', ...only.map((glob) => `--iglob=${glob}`), '--', '.'];
}

/** Lists those of them that hold a text. */
export function searchArgs(scope: Scope, text: string): string[] {
  return [...common(scope), '--files-with-matches', '--case-sensitive', ...patternArgs(text), '--', '.'];
}

function common({ root, excluded }: Scope): string[] {
  return [
    // A file that the environment names could give any option, also one that starts a program.
    '--no-config',
    '--no-messages',
    '--null',
    '--color=never',
    '--hidden',
    '--no-follow',
    '--glob=!.git',
    ...excluded.filter((glob) => PLAIN_GLOB.test(glob)).map((glob) => `--glob=!${glob}`),
    // Outside of any repository the project's own .gitignore holds as well, and no folder above has a say.
    ...(isInRepository(root) ? [] : ['--no-require-git', '--no-ignore-parent']),
  ];
}

/** A line end of the text stands for any line end. */
function patternArgs(text: string): string[] {
  if (!/[\r\n]/.test(text)) return ['--fixed-strings', `--regexp=${text}`];
  const lines = text.split(/\r\n?|\n/).map((line) => line.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&'));
  return ['--multiline', `--regexp=${lines.join('\\r?\\n')}`];
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return folder !== dirname(folder) && isInRepository(dirname(folder));
}
