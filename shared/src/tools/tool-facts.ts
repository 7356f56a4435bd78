import type { Toolset } from './toolsets.ts';

/** As much of a definition as registering the tool with an editor needs, and no schema. */
export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  readonly readOnly: boolean;
  /** What the user of the editor's own agent reads before a call that is not read-only. */
  readonly beforeRun?: string;
}
