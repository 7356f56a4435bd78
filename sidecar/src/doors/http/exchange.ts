import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Gate } from '../../dispatch/gate.ts';
import type { QuestionDesk } from '../question-desk.ts';
import type { RunningCalls } from '../running-calls.ts';

/** One request and its answer, once the guard has let it in. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** What the routes share. */
export interface Desk {
  readonly gate: Gate;
  readonly calls: RunningCalls;
  readonly asks: QuestionDesk;
}

/** A route: its methods, and what it does. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly handle: (exchange: Exchange) => Promise<void>;
}
