import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import type { Progress } from '@devdb/shared/protocol';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { EditorContext } from './editor-context.ts';

/** How far a call's change got: not begun, begun, made. */
type Applied = false | 'unknown' | true;

export interface EditorCallParts
  extends Pick<EditorContext, 'root' | 'signal' | 'progress' | 'final' | 'settings' | 'terminals'> {
  /** Failures that no caller sees go to the log. */
  readonly onFault: (error: unknown) => void;
}

/** One call of a tool that runs here. It records whether a change was made, whatever becomes of the call. */
export class EditorCall implements EditorContext {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly final: boolean;
  #applied: Applied = false;

  readonly settings: BorrowedSettings;
  readonly terminals: EditorContext['terminals'];
  readonly #onFault: (error: unknown) => void;

  constructor({ root, signal, progress, final, settings, terminals, onFault }: EditorCallParts) {
    this.root = root;
    this.signal = signal;
    this.progress = progress;
    this.final = final;
    this.settings = settings;
    this.terminals = terminals;
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
    return unlessAborted(work, this.signal, () => {
      // Nobody else hears of its failure.
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
