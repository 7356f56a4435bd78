import { Asked } from '../../page/asked.ts';
import type { KeptDiagram } from '../kept-diagram.ts';
import type { FromPage, Placed, PlaceRequest, ToPage } from '../page-messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; setState(state: KeptDiagram): void };

type News = Exclude<ToPage, { readonly ask: number }>;

/** The extension, on the other side of the page. */
export class Host {
  readonly #editor = acquireVsCodeApi();
  readonly #asked = new Asked<Placed>();

  /** `hear` gets the messages that answer no request. */
  constructor(hear: (news: News) => void) {
    addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
      if (data.kind === 'placed') this.#asked.answered(data.ask, data.placed);
      else if (data.kind === 'refused') this.#asked.refused(data.ask, data.message);
      else hear(data);
    });
  }

  tell(message: Exclude<FromPage, { kind: 'place' }>): void {
    this.#editor.postMessage(message);
  }

  /** The editor keeps it over a reload of the window. */
  keep(state: KeptDiagram): void {
    this.#editor.setState(state);
  }

  place(request: PlaceRequest): Promise<Placed> {
    return this.#asked.ask((ask) => this.#editor.postMessage({ kind: 'place', ask, ...request }));
  }
}
