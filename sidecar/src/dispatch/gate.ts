import type { Envelope } from '@devdb/shared/envelope';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Caller } from './caller.ts';

/** The only way from a door to the tools. */
export interface Gate {
  readonly projectRoot: string;
  /** The tools that are on, in listing order. */
  readonly tools: readonly ToolDefinition[];
  /** Never rejects: parses, checks the policy, runs the tool and returns the envelope. */
  run(name: string, rawInput: unknown, caller: Caller): Promise<Envelope>;
}
