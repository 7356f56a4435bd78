/** The groups of tools a user may choose, without the tools themselves. */
export const TOOLSETS = ['database', 'refactor', 'code', 'debug', 'trace', 'ide'] as const;
export type Toolset = (typeof TOOLSETS)[number];

export const DEFAULT_TOOLSETS: readonly Toolset[] = ['database', 'refactor', 'code', 'debug'];

/** Clients that load a definition when they need it, so that a long list costs them nothing. */
const DEFERRING = /^claude-code$/i;

/** Whether the tools of a set can be called where these are chosen: who debugs may also look back. */
export function isChosen(toolset: string, chosen: readonly string[]): boolean {
  return chosen.includes(toolset) || (toolset === 'trace' && chosen.includes('debug'));
}

/**
 * Whether tools that can be called are also listed. Looking back is rare: its definitions are for a client that has named
 * the set, and for one to which they cost nothing.
 */
export function isListed(toolset: string, named: readonly string[], clientName: string): boolean {
  return toolset !== 'trace' || DEFERRING.test(clientName) || isChosen(toolset, named);
}
