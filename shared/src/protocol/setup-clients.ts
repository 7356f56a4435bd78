/** The clients that a set-up can be had for, by the name that `devdb setup` takes. */
export const SETUP_CLIENTS = ['claude', 'cursor', 'vscode', 'windsurf', 'codex'] as const;
export type SetupClient = (typeof SETUP_CLIENTS)[number];

/** What a person calls them. */
export const CLIENT_TITLES = {
  claude: 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  codex: 'Codex',
} as const satisfies Record<SetupClient, string>;
