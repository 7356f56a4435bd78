import { Asked } from '../../page/asked.ts';
import type { Ask, FromPage, ToPage } from '../page-messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; setState(state: unknown): void };

type Question = Ask extends infer One ? (One extends Ask ? Omit<One, 'ask'> : never) : never;
/** A message that answers no request. */
export type News = Exclude<ToPage, { readonly ask: number }>;

/** The extension, on the other side of the page. */
export class Host {
  readonly #editor = acquireVsCodeApi();
  readonly #asked = new Asked<unknown>();

  /** `hear` gets the messages that answer no request. */
  constructor(hear: (news: News) => void) {
    addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
      if (data.kind === 'answer') this.#asked.answered(data.ask, data.value);
      else if (data.kind === 'refused') this.#asked.refused(data.ask, data.message);
      else hear(data);
    });
  }

  tell(message: Exclude<FromPage, Ask>): void {
    this.#editor.postMessage(message);
  }

  /** The editor keeps it over a reload of the window. */
  keep(state: unknown): void {
    this.#editor.setState(state);
  }

  ask(question: Question): Promise<unknown> {
    return this.#asked.ask((ask) => this.#editor.postMessage({ ...question, ask }));
  }
}
