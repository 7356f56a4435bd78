import { AppError } from '@devdb/shared/errors';
import type { Progress } from '@devdb/shared/protocol';
import type { Debugger } from '../debug/debugger.ts';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { EditorContext } from './editor-context.ts';

/** How far the change of a call got: not begun, begun, made. */
type Applied = false | 'unknown' | true;

export interface EditorCallParts
  extends Pick<EditorContext, 'root' | 'signal' | 'progress' | 'settings' | 'client' | 'approved' | 'debug'> {
  /** What fails behind the call's back is written into the log. */
  readonly onFault: (error: unknown) => void;
}

/** One call of a tool that runs here. It knows what has been changed, whatever becomes of the call. */
export class EditorCall implements EditorContext {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  #applied: Applied = false;

  readonly client: string;
  readonly approved: boolean;
  readonly settings: BorrowedSettings;
  readonly debug: () => Promise<Debugger>;
  readonly #onFault: (error: unknown) => void;

  constructor({ root, signal, progress, client, approved, settings, debug, onFault }: EditorCallParts) {
    this.root = root;
    this.signal = signal;
    this.progress = progress;
    this.client = client;
    this.approved = approved;
    this.settings = settings;
    this.debug = debug;
    this.#onFault = onFault;
  }

  async change<T>(apply: () => Promise<T>): Promise<T> {
    if (this.signal.aborted) throw ended();
    this.#applied = 'unknown';
    const result = await apply();
    this.#applied = true;
    return result;
  }

  unlessEnded<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        work.catch(this.#onFault);
        reject(ended());
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  /** The error with what is known of the change. */
  withOutcome(error: unknown): AppError {
    const { code, message, hint, details, cause } = error instanceof AppError ? error : failedInside(error);
    return new AppError(code, message, { hint, cause, details: { applied: this.#applied, ...details } });
  }
}

function failedInside(cause: unknown): AppError {
  return new AppError('E_INTERNAL', 'The tool failed inside the editor.', {
    hint: 'The DevDB log of that window says more.',
    cause,
  });
}

function ended(): AppError {
  return new AppError('E_CANCELLED', 'The call was ended.');
}
