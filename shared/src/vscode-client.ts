const NAMES = /^(Visual Studio Code|Code - OSS|code-server|VSCodium)\b/;

/**
 * Whether an MCP client's name is that of an editor that DevDB's extension runs in. Its own agent reads a project's
 * `.mcp.json` as well, and must not have every tool twice: what it gets is for `Devdb.vscodeAgent` to say.
 */
export function isVsCode(clientName: string): boolean {
  return NAMES.test(clientName);
}
