import type { Progress } from '@devdb/shared/protocol/lines';
import type { Params } from './messages.ts';
import type { FoundTool } from './tool-list.ts';

/** A question from the sidecar, in the form an MCP client shows. */
export interface AskedQuestion {
  readonly message: string;
  readonly requestedSchema: Params;
}

/** A question that the client is showing. */
export interface OpenQuestion {
  /** The client's answer; undefined when it refused to ask or was cancelled. */
  readonly reply: Promise<Params | undefined>;
  /** Tells the client to stop showing it. Safe to call twice, and after the answer. */
  readonly over: () => void;
}

/** The client, as described in `initialize`. */
export interface ClientFacts {
  readonly name: string;
  /** Whether it answers elicitation/create. */
  readonly canAsk: boolean;
  /** Whether it gets a success without its structured form. */
  readonly textAlone: boolean;
}

/** A stream that can be paused. */
export interface HeldBack {
  pause(): unknown;
  resume(): unknown;
}

/** One tools/call on its way to a sidecar. */
export interface ToolCall {
  readonly tool: FoundTool;
  readonly args: Params;
  readonly client: ClientFacts;
  readonly signal: AbortSignal;
  /** Present when the client sent a progress token. */
  readonly progress?: ((progress: Progress) => void) | undefined;
  readonly ask: (question: AskedQuestion) => OpenQuestion;
  /** Pauses the answer's stream while the client reads slower than it arrives. */
  readonly holdBack: (source: HeldBack) => void;
}

/** Runs a call and returns the finished MCP result as JSON text. Failures are results too; only an abort rejects. */
export type RunTool = (call: ToolCall) => Promise<string>;

/** Progress as a sidecar sent it. */
export function readProgress({ progress, total, message }: Params): Progress {
  return {
    progress: Number(progress),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
