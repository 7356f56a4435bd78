import type { ErrorDetails } from '@devdb/shared/errors';
import type { PlainText } from '@devdb/shared/plain-text';
import type { Progress, Question } from '@devdb/shared/protocol';
import type { ToolOutput } from '@devdb/shared/tools';
import type { CustomTools } from '../custom-tools/custom-tools.ts';
import type { Session } from '../engines/engine.ts';

/** A question that must be answered before something is done. */
export interface Request {
  /** What "for this session" covers. */
  readonly subject: string;
  /** Made only when it will be asked. */
  readonly question: () => Promise<Question>;
  /** The error for a caller without a user to ask. Made only then. */
  readonly unasked: () => Promise<Unasked>;
}

export interface Unasked {
  readonly message: string;
  /** What the call would do, where that is known: part of the message as well. */
  readonly effect?: string;
  readonly hint: string;
  readonly details?: ErrorDetails;
}

/** The editor in front of the project. */
export interface EditorFacts {
  readonly attached: boolean;
  /** Its name and version, where one is or was attached. */
  readonly name: string | undefined;
  /** When it went, where one was attached. */
  readonly goneAt: Date | undefined;
  /** What links begin with that open a table in it. */
  readonly linkOpener: string | undefined;
  /** Whether it answers now. */
  readonly answers: (signal: AbortSignal) => Promise<boolean>;
}

export type WritesPolicy = 'ask' | 'allow' | 'deny';

/** An open database, with the name a person knows it by. */
export interface OpenDatabase {
  readonly id: string;
  readonly name: PlainText;
  readonly session: Session;
}

/** What a handler gets. */
export interface ToolContext {
  readonly projectRoot: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly writes: WritesPolicy;
  readonly editor: EditorFacts;
  /** Opens the database with this id, or the default. E_NO_CONNECTION reports what was looked for. */
  readonly open: (id: string | undefined) => Promise<OpenDatabase>;
  readonly connections: () => Promise<ToolOutput<'list-connections'>>;
  /** The project's custom tools. E_UNTRUSTED_WORKSPACE in an untrusted workspace. */
  readonly projectTools: () => CustomTools;
  /**
   * Asks the user, with the deadline paused. Throws E_CONFIRMATION_REQUIRED when no user can be asked, and
   * E_APPROVAL_DENIED on no, cancel and no answer.
   */
  readonly confirm: (request: Request) => Promise<void>;
  /** Says that the call is about to change something. */
  readonly changes: () => void;
}
