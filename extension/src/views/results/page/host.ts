import type { Ask, FromPage, ToPage } from '../page-messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

type Question = Ask extends infer One ? (One extends Ask ? Omit<One, 'ask'> : never) : never;
type News = Exclude<ToPage, { readonly ask: number }>;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The extension, on the other side of the page. */
export class Host {
  readonly #editor = acquireVsCodeApi();
  readonly #waiting = new Map<number, Waiting>();
  #asks = 0;

  /** `hear` gets the messages that answer no request. */
  constructor(hear: (news: News) => void) {
    addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
      if (data.kind === 'answer') this.#take(data.ask)?.resolve(data.value);
      else if (data.kind === 'refused') this.#take(data.ask)?.reject(new Error(data.message));
      else hear(data);
    });
  }

  tell(message: Exclude<FromPage, Ask>): void {
    this.#editor.postMessage(message);
  }

  ask(question: Question): Promise<unknown> {
    this.#asks += 1;
    const ask = this.#asks;
    this.#editor.postMessage({ ...question, ask });
    return new Promise((resolve, reject) => this.#waiting.set(ask, { resolve, reject }));
  }

  #take(ask: number): Waiting | undefined {
    const waiting = this.#waiting.get(ask);
    this.#waiting.delete(ask);
    return waiting;
  }
}
