import type { ToolDefinition } from '@devdb/shared/tools';
import type { Binding } from '../engines/engine.ts';

/** One tool of a project's own: what is listed, and the statement behind it. */
export interface CustomTool {
  readonly definition: ToolDefinition;
  readonly alias: string;
  /** Relative to the project. */
  readonly file: string;
  /** False when its file switches it off. */
  readonly enabled: boolean;
  readonly sql: string;
  readonly params: ReadonlyMap<string, Binding['type']>;
  /** Undefined for the project's default database. */
  readonly connection: string | undefined;
  /** Undefined when its file states no time-out. */
  readonly timeoutMs: number | undefined;
}

/** Why a file gave no tool, or less than it says. */
export interface ToolProblem {
  readonly file: string;
  readonly line?: number | undefined;
  readonly reason: string;
}

/** What the folder of a project's own tools holds. */
export interface ReadTools {
  readonly tools: readonly CustomTool[];
  readonly problems: readonly ToolProblem[];
}
