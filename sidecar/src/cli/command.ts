import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Lifetime } from '@devdb/shared/lifetime';
import type { Home } from '../host/home.ts';
import type { Log } from '../host/log.ts';
import { canonicalRoot } from '../registry/project-root.ts';

export interface CommandContext {
  readonly bundleDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: Home;
  /** Prints a line on stdout. */
  readonly print: (text: string) => void;
  /** Prints a line on stderr. */
  readonly complain: (text: string) => void;
}

/** What a sidecar has before anything of it is made. */
export interface ProcessParts {
  readonly context: CommandContext;
  /** Closes, at the process's end, what is opened. */
  readonly lifetime: Lifetime;
  readonly log: Log;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
}

export type OptionValues = ReadonlyMap<string, string | boolean | (string | boolean)[] | undefined>;

/** One command of `devdb`, with its help. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly help: readonly string[];
  readonly options: ParseArgsOptionsConfig;
  /** Accepts positional arguments; other commands report them as mistakes. */
  readonly takesWords?: boolean;
  /** Started by programs, not by people: left out of the help. */
  readonly hidden?: boolean;
  /**
   * A long-running process runs from a copy in the home, since an editor deletes the folder of an extension it updates.
   */
  readonly runsFromCopy?: boolean;
  /** Resolves to the exit code. */
  run(values: OptionValues, positionals: readonly string[], context: CommandContext): Promise<number>;
}

/** A wrong command line: exit code 2 and the command's help. */
export class UsageError extends Error {}

/** The value of a text option; undefined when it is not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The real path of `--project DIR`, which may be relative to the working directory. */
export function projectOption(values: OptionValues): string {
  const given = textOption(values, 'project');
  if (given === undefined || given === '') throw new UsageError('--project DIR is missing.');
  const found = canonicalRoot(resolve(given));
  if (!found.ok || !statSync(found.root).isDirectory()) {
    throw new UsageError(`--project ${given}: no such folder.`);
  }
  return found.root;
}

/** One of a few values; undefined when the option is not given. */
export function choiceOption<Choice extends string>(
  values: OptionValues,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = textOption(values, name);
  if (given === undefined) return undefined;
  const choice = choices.find((one) => one === given);
  if (choice === undefined) throw new UsageError(`--${name} takes ${choices.join(', ')}, not "${given}".`);
  return choice;
}
