import type { Progress } from '@devdb/shared/protocol';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { Terminals } from '../editor/terminals.ts';

/** What a handler in the editor gets besides its input. */
export interface EditorContext {
  /** The project's folder, by its real path. */
  readonly root: string;
  /** Aborts when the call's time is up or its caller went away. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** The user has agreed to what the editor cannot undo; without it such a change is refused with `finalChange`. */
  readonly final: boolean;
  /**
   * Makes the change of the call, unless the call has ended. It is not interrupted; when the call ends or fails
   * afterwards, the answer says whether the change was made.
   */
  change<T>(apply: () => Promise<T>): Promise<T>;
  /** Waits for work that goes on by itself when the call ends before it: what follows a change must not stay half done. */
  unlessEnded<T>(work: Promise<T>): Promise<T>;
  /** Settings that hold for the time of a change alone. */
  readonly settings: BorrowedSettings;
  /** The terminals in which commands run; loaded when first asked for. */
  readonly terminals: () => Promise<Terminals>;
}
