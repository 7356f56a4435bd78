import type { FinalChange } from '@devdb/shared/final-change';
import type { Progress } from '@devdb/shared/protocol';
import type { Debugger } from '../debug/debugger.ts';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { Terminals } from '../editor/terminals.ts';

/** What an editor tool's handler gets besides its input. */
export interface EditorContext {
  /** The project's folder, by its real path. */
  readonly root: string;
  /** Aborts when the deadline passes or the caller goes away. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Refuses a change with `finalChange`, unless the user has agreed to this very one. */
  checkAgreed(change: FinalChange): void;
  /**
   * Makes the call's change, unless the call has ended. It is not interrupted; if the call ends or fails afterwards,
   * the answer says whether the change was made.
   */
  change<T>(apply: () => Promise<T>): Promise<T>;
  /** Awaits work that goes on even if the call ends first: what follows a change must not stay half done. */
  unlessEnded<T>(work: Promise<T>): Promise<T>;
  /** The caller's id, the same for all calls of one client. */
  readonly client: string;
  /** This call needs no question. Where it is false, only what an earlier yes covers may be done. */
  readonly approved: boolean;
  /** The window's debugger, loaded on first use. */
  debug(): Promise<Debugger>;
  /** Settings that are changed only during a change. */
  readonly settings: BorrowedSettings;
  /** The terminals in which commands run; loaded when first asked for. */
  readonly terminals: () => Promise<Terminals>;
}
