import { isRecord, notification, type Params, type RequestId, request } from './messages.ts';
import type { AskedQuestion, OpenQuestion } from './tool-call.ts';

/** Requests to the client: questions to its user. */
export class ClientQuestions {
  readonly #send: (message: string) => void;
  readonly #open = new Map<RequestId, (reply: Params | undefined) => void>();
  #count = 0;

  constructor(send: (message: string) => void) {
    this.#send = send;
  }

  ask({ message, requestedSchema }: AskedQuestion): OpenQuestion {
    this.#count += 1;
    const id = `devdb-ask-${this.#count}`;
    const reply = new Promise<Params | undefined>((resolve) => this.#open.set(id, resolve));
    this.#send(request(id, 'elicitation/create', { message, requestedSchema }));
    return { reply, over: () => this.#stop(id) };
  }

  /** Takes a response. One to nothing we asked is late or foreign, and ignored. */
  answered(id: RequestId | null, result: unknown): void {
    if (id === null) return;
    this.#open.get(id)?.(isRecord(result) ? result : undefined);
    this.#open.delete(id);
  }

  #stop(id: RequestId): void {
    const resolve = this.#open.get(id);
    if (resolve === undefined) return;
    this.#open.delete(id);
    this.#send(notification('notifications/cancelled', { requestId: id, reason: 'The question is no longer open.' }));
    resolve(undefined);
  }
}
