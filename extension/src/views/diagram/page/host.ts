import type { FromPage, Placed, PlaceRequest, ToPage } from '../page-messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

type News = Exclude<ToPage, { readonly ask: number }>;

interface Waiting {
  readonly resolve: (placed: Placed) => void;
  readonly reject: (error: Error) => void;
}

/** The extension, on the other side of the page. */
export class Host {
  readonly #editor = acquireVsCodeApi();
  readonly #waiting = new Map<number, Waiting>();
  #asks = 0;

  constructor(hear: (news: News) => void) {
    addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
      if (data.kind === 'placed') this.#take(data.ask)?.resolve(data.placed);
      else if (data.kind === 'refused') this.#take(data.ask)?.reject(new Error(data.message));
      else hear(data);
    });
  }

  tell(message: Exclude<FromPage, { kind: 'place' }>): void {
    this.#editor.postMessage(message);
  }

  place(request: PlaceRequest): Promise<Placed> {
    this.#asks += 1;
    const ask = this.#asks;
    this.#editor.postMessage({ kind: 'place', ask, ...request });
    return new Promise((resolve, reject) => this.#waiting.set(ask, { resolve, reject }));
  }

  #take(ask: number): Waiting | undefined {
    const waiting = this.#waiting.get(ask);
    this.#waiting.delete(ask);
    return waiting;
  }
}
