import type { Progress } from '@devdb/shared/protocol';
import type { Debugger } from '../debug/debugger.ts';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';

/** What a handler in the editor gets besides its input. */
export interface EditorContext {
  /** The project's folder, by its real path. */
  readonly root: string;
  /** Aborts when the call's time is up or its caller went away. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /**
   * Makes the change of the call, unless the call has ended. It is not interrupted; when the call ends or fails
   * afterwards, the answer says whether the change was made.
   */
  change<T>(apply: () => Promise<T>): Promise<T>;
  /** Waits for work that goes on by itself when the call ends before it: what follows a change must not stay half done. */
  unlessEnded<T>(work: Promise<T>): Promise<T>;
  /** Who calls, by the id that all calls of one client have. */
  readonly client: string;
  /** Nobody has to be asked about this call. Where it is false, only what an earlier yes covers may be done. */
  readonly approved: boolean;
  /** The debugger of the window, which is loaded with its first use. */
  debug(): Promise<Debugger>;
  /** Settings that hold for the time of a change alone. */
  readonly settings: BorrowedSettings;
}
