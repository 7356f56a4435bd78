import type { PlainText } from '@devdb/shared/plain-text';
import type { ClientAnswer, Progress, Question } from '@devdb/shared/protocol';

/** Who calls, as a door tells the gate. */
export interface Caller {
  readonly door: 'rest' | 'mcp' | 'bridge' | 'pipe';
  /** What "for this session" hangs on. */
  readonly clientId: string;
  readonly clientName: PlainText;
  /** Aborts when the caller cancelled or went away. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Present when this caller can put a question to a person. Rejects when the signal aborts. */
  readonly ask?: ((question: Question, signal: AbortSignal) => Promise<ClientAnswer>) | undefined;
  /** The editor has just asked its user about this very call, who said yes. */
  readonly confirmed?: boolean | undefined;
  /** Default deadline for tools whose call states none. */
  readonly defaultTimeoutMs?: number | undefined;
}
