import { Secret } from '../host/secret.ts';
import type { ProcessVariable, UnresolvedField } from './detector.ts';
import type { Environment } from './environment.ts';
import { isPlain } from './process-variables.ts';

const REFERENCE = /\$\{([A-Za-z_]\w{0,200})(?::-((?:[^}$]|\$(?!\{))*))?\}/g;

/** Whether a text is a single reference and nothing else. */
export function isReference(text: string): boolean {
  return /^\$\{[A-Za-z_]\w*(?::-[^}]*)?\}$/.test(text);
}

/** The value of a reference. */
type Value =
  | { readonly text: string; readonly isOfProcess: boolean }
  | { readonly missing: readonly string[]; readonly isRefused: boolean };

/** Fills in `${NAME}` and `${NAME:-other}` in the fields of one entry. */
export class References {
  readonly #environment: Environment | undefined;
  readonly #unresolved: UnresolvedField[] = [];
  readonly #processVariables: ProcessVariable[] = [];

  constructor(environment: Environment | undefined) {
    this.#environment = environment;
  }

  /** Fields whose variables have no value. */
  get unresolved(): readonly UnresolvedField[] {
    return this.#unresolved;
  }

  /** What was taken from the process's environment. */
  get processVariables(): readonly ProcessVariable[] {
    return this.#processVariables;
  }

  /** The text with its values filled in; unchanged when one is missing. */
  text(field: string, written: string): string {
    const variables: string[] = [];
    const refused: string[] = [];
    const value = written.replace(REFERENCE, (_whole, name: string, otherwise: string | undefined) => {
      const found = this.#value(name, field);
      if ('text' in found && !(found.text === '' && otherwise !== undefined)) {
        if (found.isOfProcess) this.#processVariables.push({ field, variable: name });
        return found.text;
      }
      // A refused name does not get its default: that would reveal whether the variable is set.
      if (otherwise !== undefined && !('isRefused' in found && found.isRefused)) return otherwise;
      variables.push(...('missing' in found ? found.missing : [name]));
      if ('isRefused' in found && found.isRefused) refused.push(name);
      return '';
    });
    if (variables.length === 0) return value;
    // The text may be part of a password, so it is kept secret.
    this.#unresolved.push({ field, variables, refused, text: new Secret(written) });
    return written;
  }

  #value(name: string, field: string): Value {
    if (this.#environment?.definition(name)) {
      const resolved = this.#environment.resolve(name);
      return resolved.state === 'set'
        ? { text: resolved.text, isOfProcess: false }
        : { missing: resolved.names, isRefused: false };
    }
    const text = this.#environment?.ofProcess(name);
    if (text === undefined) return { missing: [name], isRefused: false };
    if (field !== 'password' && !isPlain(name)) return { missing: [name], isRefused: true };
    return { text, isOfProcess: true };
  }
}
