const NAMES = /^(Visual Studio Code|Code - OSS|code-server|VSCodium)\b/;

/**
 * Whether an MCP client's name is that of an editor that runs DevDB's extension. Its agent also reads a project's
 * `.mcp.json` and must not get every tool twice: `Devdb.vscodeAgent` decides what it gets.
 */
export function isVsCode(clientName: string): boolean {
  return NAMES.test(clientName);
}
