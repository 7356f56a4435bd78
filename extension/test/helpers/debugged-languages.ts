import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AdapterCommand, type AdapterType, cachedAdapter } from '../../../fixtures/labs/debuggers/adapters.ts';
import { compile, findCompiler } from '../../../fixtures/labs/debuggers/compile.ts';
import type { EditorOptions } from './editor-lab.ts';

const FIXTURES = join(__dirname, '..', '..', '..', 'fixtures');

/** The same program in one language, and what its debugger calls things. */
export interface Language {
  readonly name: string;
  readonly type: AdapterType;
  /** In the project. */
  readonly source: string;
  readonly program: string;
  /** The exceptions that are asked for, and what each of them says when the program is run on. */
  readonly exceptions: { readonly filters: readonly string[]; readonly say: readonly string[] };
  readonly exitCodeOfFailure: number;
  /** What becomes of a value that the language does not know. Python's debugger answers with the one that stayed. */
  readonly ofBadValue: 'ok' | 'E_SET_FAILED';
}

const PYTHON: Language = {
  name: 'Python',
  type: 'debugpy',
  source: 'src/totals.py',
  program: 'src/totals.py',
  exceptions: { filters: ['raised', 'uncaught'], say: ['ValueError: caught', 'RuntimeError: not caught'] },
  exitCodeOfFailure: 1,
  ofBadValue: 'ok',
};

const C: Language = {
  name: 'C',
  type: 'lldb',
  source: 'src/totals.c',
  program: 'out/totals',
  exceptions: { filters: ['cpp_throw'], say: ['SIGSEGV'] },
  exitCodeOfFailure: 11,
  ofBadValue: 'E_SET_FAILED',
};

export const LANGUAGES = [PYTHON, C] as const;

/** Why a language cannot be debugged on this machine. */
export function whyNot({ type }: Language): string | undefined {
  const adapter = cachedAdapter(type);
  if ('notRun' in adapter) return adapter.notRun;
  return type === 'lldb' && findCompiler() === undefined ? 'no C compiler' : undefined;
}

/** An editor with the debuggers that this machine has. */
export function withDebuggers(): EditorOptions {
  const commands = LANGUAGES.flatMap(({ type }): [AdapterType, AdapterCommand][] => {
    const adapter = cachedAdapter(type);
    return 'notRun' in adapter ? [] : [[type, adapter]];
  });
  return {
    others: [join(FIXTURES, 'labs', 'debuggers', 'extension')],
    env: { DEVDB_LAB_ADAPTERS: JSON.stringify(Object.fromEntries(commands)) },
  };
}

/** Puts the program into a project, compiled where it has to be. */
export async function addProgram(root: string, { type, source, program }: Language): Promise<void> {
  copyFileSync(join(FIXTURES, 'debugging', source.replace('src/', '')), join(root, source));
  const compiler = type === 'lldb' ? findCompiler() : undefined;
  if (compiler !== undefined) await compile(compiler, join(root, source), join(root, program));
}

/** The line of a file that has this text. */
export function lineWith(root: string, { source }: Language, text: string): number {
  const at = readFileSync(join(root, source), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text));
  if (at < 0) throw new Error(`${source} has no line with ${text}.`);
  return at + 1;
}
