import { isDeepStrictEqual } from 'node:util';

/** Requests that are answered with what the program is like, so that anybody's answer is as good. */
const QUESTIONS = new Set(['threads', 'stackTrace', 'scopes', 'variables', 'exceptionInfo', 'evaluate']);

export function isQuestion(command: string): boolean {
  return QUESTIONS.has(command);
}

interface Listener {
  readonly command: string;
  readonly args: unknown;
  readonly hear: (body: unknown) => void;
}

/** An answer that is waited for. */
export interface Listening {
  readonly answer: Promise<unknown>;
  dispose(): void;
}

/**
 * Takes answers when the adapter gives them. On their way to an extension the editor first brings them to its window and
 * back, and at a stop its window is busy showing it.
 */
export class Overheard {
  readonly #listeners = new Set<Listener>();

  /** The answer to the next such request; it never comes where the request fails. */
  listen(command: string, args: unknown): Listening {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const listener = { command, args, hear: resolve };
    this.#listeners.add(listener);
    return { answer: promise, dispose: () => this.#listeners.delete(listener) };
  }

  /** A request goes to the adapter: what to do with its answer. */
  asked(command: string, args: unknown): ((body: unknown) => void) | undefined {
    const heard = [...this.#listeners].filter((one) => one.command === command && isDeepStrictEqual(one.args, args));
    if (heard.length === 0) return undefined;
    for (const listener of heard) this.#listeners.delete(listener);
    return (body) => {
      for (const { hear } of heard) hear(body);
    };
  }
}
