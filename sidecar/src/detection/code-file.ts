import { join } from 'node:path';
import type { AppFolder } from './app-folder.ts';
import type { Collector } from './collector.ts';
import type { Environment } from './environment.ts';
import type { NamedValue } from './nest-configs.ts';
import { Evaluator } from './readers/code/evaluate.ts';
import type { Expr } from './readers/code/expression.ts';
import type { Language } from './readers/code/languages.ts';
import { type Assignment, bindingsOf, type Program, readProgram } from './readers/code/program.ts';
import type { Located } from './readers/located.ts';
import { withModules } from './script-modules.ts';

/** A settings file that is program code: read, never run. */
export class CodeFile {
  readonly app: AppFolder;
  /** Relative to the project's root. */
  readonly file: string;
  readonly program: Program;
  readonly evaluator: Evaluator;
  readonly #fallbacks: string[] = [];

  constructor(
    app: AppFolder,
    file: string,
    program: Program,
    environment: Environment,
    /** The environment whose variables apply; '' for development. */
    name = '',
    assignments: readonly Assignment[] = program.assignments,
    /** What names mean that no variable has. */
    further: NamedValue = () => undefined,
  ) {
    this.app = app;
    this.file = file;
    this.program = program;
    this.evaluator = new Evaluator({
      bindings: bindingsOf({ assignments }),
      env: variablesOf(environment, name, further),
      onFallback: (variable) => this.#fallbacks.push(variable),
      file: join(app.project.root, file),
      root: app.absolute(),
    });
  }

  /** The absolute path of the file's folder. */
  get folder(): string {
    return join(this.app.project.root, this.file, '..');
  }

  /** What is read, and the variables that nothing sets and whose fallbacks counted for it. */
  withFallbacks<T>(read: () => T): { readonly value: T; readonly unset: readonly string[] } {
    this.#fallbacks.length = 0;
    const value = read();
    return { value, unset: [...this.#fallbacks] };
  }

  /** Reads a file of an application; obstacles are reported to the collector. */
  static async read(
    app: AppFolder,
    name: string,
    language: Language,
    environment: Environment,
    collector: Collector,
    further?: NamedValue,
  ): Promise<CodeFile | undefined> {
    const file = app.path(name);
    const text = await collector.textOf(app, file);
    if (text === undefined) return undefined;
    const program = readProgram(text, language);
    for (const { line, reason } of program.problems) collector.skip(file, line, reason);
    if (program.problems.length > 0) return undefined;
    if (language !== 'javascript') return new CodeFile(app, file, program, environment, '', undefined, further);
    const assignments = await withModules(app, name, program, variablesOf(environment, '', further));
    return new CodeFile(app, file, program, environment, '', assignments, further);
  }
}

function variablesOf(environment: Environment, name: string, further: NamedValue = () => undefined) {
  return (variable: string) => {
    const resolved = environment.resolve(variable, name);
    return resolved.state === 'set' ? { text: resolved.text } : (further(variable) ?? { missing: resolved.names });
  };
}

/** The values of a data file as the expressions of a program. */
export function exprOf(located: Located): Expr {
  const { line } = located;
  if (located.kind === 'scalar') return { kind: 'value', line, value: located.value };
  if (located.kind === 'array') return { kind: 'list', line, items: located.items.map(exprOf) };
  const entries = new Map([...located.entries].map(([name, value]) => [name, exprOf(value)]));
  return { kind: 'object', line, entries, spreads: [], overrides: [] };
}
