import {
  CancellationStrategy,
  type CancellationToken,
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
  ResponseError,
} from 'vscode-jsonrpc';
import { AppError, toWire } from '../errors.ts';
import type { MessageSchema } from './message-schema.ts';
import type { Method, Notice } from './method.ts';

/** Any number will do: the code that matters is in `data`. */
const WIRE_CODE = -32_000;

export interface PeerOptions {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** The error of a call whose other end is gone. */
  readonly gone: () => AppError;
  /** What never crosses the pipe whole: errors that became E_INTERNAL, and notices no handler could take. */
  readonly onFault: (error: unknown) => void;
  readonly onClosed?: () => void;
}

export interface CallOptions {
  /** Aborts the call. Its reason is the error, where that is an AppError. */
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  /** By how much the time is stretched, asked when it is over: on a crowded machine the other end is slow, not hung. */
  readonly stretch?: () => number;
  /** How long an aborted call waits for the other end to report what it did. Not at all by default. */
  readonly settleMs?: number;
}

type Answer = (raw: unknown, signal: AbortSignal) => Promise<unknown>;

/**
 * One end of the pipe. It adds what vscode-jsonrpc lacks: every call ends (answer, error, deadline, cancel, closed
 * pipe), running handlers are aborted when the other end goes, messages are parsed at both ends, errors are codes.
 */
export class Peer {
  readonly #connection: MessageConnection;
  readonly #options: PeerOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #running = new Set<AbortController>();
  readonly #pending = new Set<(error: AppError) => void>();
  #closed = false;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#connection = createMessageConnection(options.reader, options.writer, this.#logger(), {
      cancellationStrategy: { receiver: CancellationStrategy.Message.receiver, sender: this.#cancelSender() },
    });
    this.#connection.onRequest((name: string, raw: unknown, token: CancellationToken) => this.#run(name, raw, token));
    this.#connection.onClose(() => this.close());
    // After a broken frame or a failed write, nothing that follows can be trusted.
    this.#connection.onError(([error]) => {
      this.#fault(error);
      this.close();
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Starts reading. All handlers must be registered by then. */
  listen(): void {
    this.#connection.listen();
  }

  /**
   * Registers the handler of a message. The signal aborts when the caller cancels, its deadline passes or it goes away.
   */
  answer<Params, Result>(
    method: Method<Params, Result>,
    handler: (params: Params, signal: AbortSignal) => Promise<Result>,
  ): void {
    this.#answers.set(method.name, async (raw, signal) =>
      handler(parse(await method.params, raw, method.name), signal),
    );
  }

  /** Registers the handler of a notice. */
  hear<Params>(notice: Notice<Params>, handler: (params: Params) => void): void {
    this.#connection.onNotification(notice.name, (raw: unknown) => {
      try {
        handler(parse(notice.params, raw, notice.name));
      } catch (error) {
        this.#options.onFault(error);
      }
    });
  }

  /** Sends a notice. A closed pipe drops it, as notices may be. */
  tell<Params>(notice: Notice<Params>, params: Params): void {
    if (this.#closed) return;
    this.#connection.sendNotification(notice.name, params).catch((error: unknown) => this.#fault(error));
  }

  /** Calls the other end. Always settles: the answer, the other end's AppError, E_TIMEOUT, E_CANCELLED or gone. */
  async call<Params, Result>(method: Method<Params, Result>, params: Params, options: CallOptions): Promise<Result> {
    if (this.#closed) throw this.#options.gone();
    if (options.signal?.aborted) throw endOf(options.signal);
    const token = new CancellationTokenSource();
    const answered = this.#connection.sendRequest<unknown>(method.name, params, token.token);
    const raw = await this.#untilEnd(method.name, answered, token, options);
    return parse(await method.result, raw, method.name);
  }

  /** Closes the pipe: calls are rejected, running handlers aborted. Safe to call twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const reject of [...this.#pending]) reject(this.#options.gone());
    for (const controller of [...this.#running]) controller.abort();
    this.#connection.dispose();
    this.#options.onClosed?.();
  }

  #untilEnd(
    name: string,
    answered: Promise<unknown>,
    token: CancellationTokenSource,
    { signal, timeoutMs, stretch = () => 1, settleMs = 0 }: CallOptions,
  ): Promise<unknown> {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#pending.delete(onGone);
        settle();
      };
      const giveUp = (error: AppError) => {
        if (settleMs === 0) end(() => reject(error));
        else {
          clearTimeout(timer);
          timer = setTimeout(() => end(() => reject(error)), settleMs);
        }
        token.cancel();
      };
      const onAbort = () => signal && giveUp(endOf(signal));
      const onGone = (error: AppError) => end(() => reject(error));
      const onTime = () => {
        const leftMs = timeoutMs * stretch() - (performance.now() - began);
        if (leftMs > 1) timer = setTimeout(onTime, leftMs);
        else giveUp(timedOut(name, timeoutMs));
      };
      let timer = setTimeout(onTime, timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.add(onGone);
      answered.then(
        (value) => end(() => resolve(value)),
        (error: unknown) => end(() => this.#received(error).then(reject, reject)),
      );
    });
  }

  async #received(error: unknown): Promise<AppError> {
    // No data means that the request could not be written, so the other end is gone.
    if (!(error instanceof ResponseError) || error.data === undefined) return this.#options.gone();
    const { fromWire } = await import('../wire-error.ts');
    return fromWire(error.data);
  }

  async #run(name: string, raw: unknown, token: CancellationToken): Promise<unknown> {
    const controller = new AbortController();
    const cancel = token.onCancellationRequested(() => controller.abort());
    if (token.isCancellationRequested) controller.abort();
    this.#running.add(controller);
    try {
      const answer = this.#answers.get(name);
      if (answer === undefined) throw new AppError('E_NOT_FOUND', `The other process does not support ${name}.`);
      return await answer(raw, controller.signal);
    } catch (error) {
      if (!(error instanceof AppError)) this.#options.onFault(error);
      const wire = toWire(error);
      throw new ResponseError(WIRE_CODE, wire.code, wire);
    } finally {
      this.#running.delete(controller);
      cancel.dispose();
    }
  }

  #fault(error: unknown): void {
    if (!this.#closed) this.#options.onFault(error);
  }

  /** The library's own sender leaves an unhandled rejection when the pipe breaks between a call and its cancel. */
  #cancelSender(): CancellationStrategy['sender'] {
    const plain = CancellationStrategy.Message.sender;
    return {
      sendCancellation: async (connection, id) => {
        if (this.#closed) return;
        try {
          await plain.sendCancellation(connection, id);
        } catch (error) {
          this.#fault(error);
        }
      },
      cleanup: (id) => plain.cleanup(id),
    };
  }

  #logger() {
    const quiet = () => undefined;
    return { error: (text: string) => this.#fault(new Error(text)), warn: quiet, info: quiet, log: quiet };
  }
}

function parse<Value>(schema: MessageSchema<Value>, raw: unknown, name: string): Value {
  // Compiling a schema pays off over many values; messages are few, and the first come while the editor starts.
  const parsed = schema.safeParse(raw, { jitless: true });
  if (parsed.success) return parsed.data;
  throw new AppError('E_INTERNAL', `Unexpected message on the pipe: ${name}.`, {
    hint: 'Reload the window: the editor and its sidecar may be of different versions.',
    details: { issues: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) },
  });
}

/** Why the caller ended the call. Its own code would be lost on the way to the other end and back. */
function endOf({ reason }: AbortSignal): AppError {
  return reason instanceof AppError ? reason : new AppError('E_CANCELLED', 'The call was cancelled.');
}

function timedOut(name: string, timeoutMs: number): AppError {
  return new AppError('E_TIMEOUT', `${name} was not answered within ${timeoutMs} ms.`, {
    hint: 'Call again; if that does not help, reload the window.',
  });
}
