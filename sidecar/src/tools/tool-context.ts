import type { Progress, Question } from '@devdb/shared/protocol';
import type { ToolOutput } from '@devdb/shared/tools';
import type { Session } from '../engines/engine.ts';
import type { OwnTools } from '../project-tools/own-tools.ts';

export type WritesPolicy = 'ask' | 'allow' | 'deny';

/** An open database with the name a person knows it by. */
export interface OpenConnection {
  readonly id: string;
  readonly name: string;
  readonly session: Session;
}

/** What a handler gets. */
export interface ToolContext {
  readonly projectRoot: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly writes: WritesPolicy;
  /** Opens the database with this id, or the default one. E_NO_CONNECTION says what was looked for. */
  readonly open: (id: string | undefined) => Promise<OpenConnection>;
  readonly connections: () => Promise<ToolOutput<'list-connections'>>;
  /** The tools that the project brings itself. E_UNTRUSTED_WORKSPACE where nobody has trusted it. */
  readonly projectTools: () => OwnTools;
  /**
   * Puts a question to a person and pauses the deadline meanwhile. Throws E_CONFIRMATION_REQUIRED when nobody can be
   * asked and E_APPROVAL_DENIED on no, cancel and silence. `subject` is what "for this session" covers; the question
   * is made only when it will be put.
   */
  readonly confirm: (subject: string, makeQuestion: () => Promise<Question>) => Promise<void>;
}
