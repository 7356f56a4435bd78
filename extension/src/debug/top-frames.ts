import type { DapFrame } from './dap.ts';
import { stackTraceArguments, stackTraceBody } from './dap.ts';

/**
 * Where the threads stand, from what the adapter has answered since the last stop, whoever asked: the editor asks at
 * every stop.
 */
export class TopFrames {
  readonly #frames = new Map<number, DapFrame>();

  of(threadId: number): DapFrame | undefined {
    return this.#frames.get(threadId);
  }

  /** Reads an answer about a stack. */
  answer(args: unknown, body: unknown): void {
    const asked = stackTraceArguments.safeParse(args).data;
    const top = stackTraceBody.safeParse(body).data?.stackFrames[0];
    if (asked !== undefined && asked.startFrame === 0 && top !== undefined) this.#frames.set(asked.threadId, top);
  }

  /** The program runs on, or its frames have got other numbers. */
  forget(): void {
    this.#frames.clear();
  }
}
