import type { ToolDefinition } from '@devdb/shared/tools';
import type { Binding } from '../engines/engine.ts';

/** One custom tool: its listing and its statement. */
export interface CustomTool {
  readonly definition: ToolDefinition;
  readonly alias: string;
  /** Relative to the project. */
  readonly file: string;
  /** False when its file disables it. */
  readonly enabled: boolean;
  readonly sql: string;
  readonly params: ReadonlyMap<string, Binding['type']>;
  /** Undefined for the project's default database. */
  readonly connection: string | undefined;
  /** Undefined when its file sets no timeout. */
  readonly timeoutMs: number | undefined;
}

/** Why a file gave no tool, or less than it declares. */
export interface ToolProblem {
  readonly file: string;
  readonly line?: number | undefined;
  readonly reason: string;
}

/** The content of a project's folder of custom tools. */
export interface ReadTools {
  readonly tools: readonly CustomTool[];
  readonly problems: readonly ToolProblem[];
}
