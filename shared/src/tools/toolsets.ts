/** The groups of tools a user may choose, without the tools themselves. */
export const TOOLSETS = ['database', 'refactor', 'code', 'debug', 'ide'] as const;
export type Toolset = (typeof TOOLSETS)[number];

export const DEFAULT_TOOLSETS: readonly Toolset[] = ['database', 'refactor', 'code', 'debug'];
