import type { Envelope } from '@devdb/shared/envelope';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Caller } from './caller.ts';

/** The one way from every door to the tools. */
export interface Gate {
  readonly projectRoot: string;
  /** The tools that are on, in the order in which they are listed. */
  readonly tools: readonly ToolDefinition[];
  /** Never rejects: parses, checks the policy, runs, and answers the envelope. */
  run(name: string, rawInput: unknown, caller: Caller): Promise<Envelope>;
}
