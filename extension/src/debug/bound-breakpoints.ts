import type { BoundBreakpoint } from './dap.ts';

/** What became of a breakpoint in one session. */
export interface Binding extends BoundBreakpoint {
  /** The line that was asked for. */
  readonly asked: number;
}

/** Where an adapter really put the breakpoints that it was given. */
export class BoundBreakpoints {
  readonly #files = new Map<string, readonly Binding[]>();

  answer(path: string, lines: readonly number[], bound: readonly BoundBreakpoint[]): void {
    this.#files.set(
      path,
      bound.flatMap((one, at) => {
        const asked = lines[at];
        return asked === undefined ? [] : [{ ...one, asked }];
      }),
    );
  }

  /** The adapter has more to say about one of them: it was bound when its file was loaded. */
  change(news: BoundBreakpoint): void {
    if (news.id === undefined) return;
    for (const [path, bindings] of this.#files) {
      if (!bindings.some(({ id }) => id === news.id)) continue;
      this.#files.set(
        path,
        bindings.map((one) => (one.id === news.id ? { ...one, ...news } : one)),
      );
    }
  }

  /** By the line that was asked for. */
  find(path: string, line: number): Binding | undefined {
    return this.#files.get(path)?.find(({ asked }) => asked === line);
  }

  /** By the line on which it really is. */
  boundTo(path: string, line: number): Binding | undefined {
    return this.#files.get(path)?.find((one) => one.verified && one.line === line);
  }
}
