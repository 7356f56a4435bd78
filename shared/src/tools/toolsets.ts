/** The groups of tools that a person may choose, without the tools themselves. */
export type Toolset = 'database' | 'refactor' | 'debug' | 'ide';

export const DEFAULT_TOOLSETS: readonly Toolset[] = ['database', 'refactor', 'debug'];
export const TOOLSETS: readonly Toolset[] = ['database', 'refactor', 'debug', 'ide'];
