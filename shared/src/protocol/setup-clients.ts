/** The clients DevDB can be set up for, by the names that `devdb setup` takes. */
export const SETUP_CLIENTS = ['claude', 'cursor', 'vscode', 'windsurf', 'codex'] as const;
export type SetupClient = (typeof SETUP_CLIENTS)[number];

/** Their names as people know them. */
export const CLIENT_TITLES = {
  claude: 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  codex: 'Codex',
} as const satisfies Record<SetupClient, string>;
