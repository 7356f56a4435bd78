import type { PlainText } from '@devdb/shared/plain-text';
import type { ClientAnswer, Progress, Question } from '@devdb/shared/protocol';

/** The caller, as its door describes it to the gate. */
export interface Caller {
  /** `editor` is the person at the editor and its views; `pipe` is the editor's agent. */
  readonly door: 'rest' | 'mcp' | 'bridge' | 'pipe' | 'editor';
  /** The scope of "for this session". */
  readonly clientId: string;
  readonly clientName: PlainText;
  /** Aborts when the caller cancelled or went away. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Present when this caller can ask a person. Rejects when the signal aborts. */
  readonly ask?: ((question: Question, signal: AbortSignal) => Promise<ClientAnswer>) | undefined;
  /** The editor has just asked its user about this very call, and the answer was yes. */
  readonly confirmed?: boolean | undefined;
  /** Default deadline for calls that state none. */
  readonly defaultTimeoutMs?: number | undefined;
}
