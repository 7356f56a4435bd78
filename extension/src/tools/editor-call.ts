import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { type FinalChange, finalChange, isAgreed } from '@devdb/shared/final-change';
import type { Progress } from '@devdb/shared/protocol';
import type { Debugger } from '../debug/debugger.ts';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { EditorContext } from './editor-context.ts';

/** How far a call's change got: not begun, begun, made. */
type Applied = false | 'unknown' | true;

export interface EditorCallParts
  extends Pick<
    EditorContext,
    'root' | 'signal' | 'progress' | 'settings' | 'terminals' | 'client' | 'approved' | 'debug'
  > {
  /** What the user has agreed to. */
  readonly agreed: FinalChange | undefined;
  /** Nothing is changed unless the user has agreed to it. */
  readonly onlyAgreed: boolean;
  /** Failures that no caller sees go to the log. */
  readonly onFault: (error: unknown) => void;
}

/** One call of a tool that runs here. It records whether a change was made, whatever becomes of the call. */
export class EditorCall implements EditorContext {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  #applied: Applied = false;

  readonly client: string;
  readonly approved: boolean;
  readonly settings: BorrowedSettings;
  readonly terminals: EditorContext['terminals'];
  readonly debug: () => Promise<Debugger>;
  readonly #agreed: FinalChange | undefined;
  readonly #onFault: (error: unknown) => void;
  #mayChange: boolean;

  constructor(parts: EditorCallParts) {
    this.root = parts.root;
    this.signal = parts.signal;
    this.progress = parts.progress;
    this.#agreed = parts.agreed;
    this.#mayChange = !parts.onlyAgreed;
    this.client = parts.client;
    this.approved = parts.approved;
    this.settings = parts.settings;
    this.terminals = parts.terminals;
    this.debug = parts.debug;
    this.#onFault = parts.onFault;
  }

  checkAgreed(change: FinalChange): void {
    if (!isAgreed(change, this.#agreed)) throw finalChange(change);
    this.#mayChange = true;
  }

  async change<T>(apply: () => Promise<T>): Promise<T> {
    if (this.signal.aborted) throw ended();
    if (!this.#mayChange) throw new Error("A change without the user's agreement.");
    this.#applied = 'unknown';
    const result = await apply();
    this.#applied = true;
    return result;
  }

  unlessEnded<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(work, this.signal, () => {
      // Its failure is reported here alone.
      work.catch(this.#onFault);
      return ended();
    });
  }

  /** The error, with what is known about the change. */
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
