import type { Toolset } from './toolsets.ts';

/** The part of a definition that registering a tool with the editor needs, without its schemas. */
export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  readonly readOnly: boolean;
  /** What the editor's agent shows its user before a call that is not read-only. */
  readonly beforeRun?: string;
}
