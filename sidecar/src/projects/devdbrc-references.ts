import { Secret } from '../connections/secret.ts';
import type { UnresolvedField } from './detector.ts';
import type { Environment } from './environment.ts';

const REFERENCE = /\$\{([A-Za-z_]\w{0,200})(?::-((?:[^}$]|\$(?!\{))*))?\}/g;

/** Whether a text is one reference and nothing else. */
export function isReference(text: string): boolean {
  return /^\$\{[A-Za-z_]\w*(?::-[^}]*)?\}$/.test(text);
}

/** Puts values in for `${NAME}` and `${NAME:-other}` in the fields of one entry. */
export class References {
  readonly #environment: Environment | undefined;
  readonly #unresolved: UnresolvedField[] = [];

  constructor(environment: Environment | undefined) {
    this.#environment = environment;
  }

  /** Fields whose variables have no value. */
  get unresolved(): readonly UnresolvedField[] {
    return this.#unresolved;
  }

  /** The text with its values; as it was written where one is missing. */
  text(field: string, written: string): string {
    const variables: string[] = [];
    const use = field === 'password' ? 'secret' : 'shown';
    const value = written.replace(REFERENCE, (_whole, name: string, otherwise: string | undefined) => {
      const resolved = this.#environment?.resolveWithProcess(name, use);
      if (resolved?.state === 'set' && !(resolved.text === '' && otherwise !== undefined)) return resolved.text;
      if (otherwise !== undefined) return otherwise;
      variables.push(...(resolved?.state === 'missing' ? resolved.names : [name]));
      return '';
    });
    if (variables.length === 0) return value;
    // The text may be part of a password, so it travels closed.
    this.#unresolved.push({ field, variables, text: new Secret(written) });
    return written;
  }
}
