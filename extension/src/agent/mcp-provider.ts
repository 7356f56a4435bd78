import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import * as vscode from 'vscode';
import type { Supervisor } from '../sidecar/supervisor.ts';

/** The id in the manifest. */
const PROVIDER = 'devdb';
/** Of two servers with equal labels, ignoring case, the editor switches one off; `.mcp.json` has one called devdb. */
const LABEL = 'DevDB in this window';

/** Tells the editor where its window's MCP server is. Undefined in an editor without this API. */
export function registerMcpProvider(
  supervisor: Pick<Supervisor, 'ready' | 'client'>,
  onChanged: vscode.Event<void>,
  log: (line: string) => void,
): vscode.Disposable | undefined {
  if (!('lm' in vscode) || typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') {
    log('This editor accepts no MCP servers from extensions; set up its agent by hand.');
    return undefined;
  }
  const provider: vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: onChanged,
    provideMcpServerDefinitions: async (token) => {
      // Called early: when the sidecar is off or still starting, the event reports it later.
      if (supervisor.client === undefined) return [];
      const { url, version } = await server(supervisor, token);
      return [new vscode.McpHttpServerDefinition(LABEL, vscode.Uri.parse(url), {}, version)];
    },
    // The editor stores definitions, so the token only goes into one that is about to be started.
    resolveMcpServerDefinition: async (definition, token) => {
      const { url, headers } = await server(supervisor, token);
      definition.uri = vscode.Uri.parse(url);
      definition.headers = headers;
      return definition;
    },
  };
  return vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, provider);
}

async function server(supervisor: Pick<Supervisor, 'ready'>, token: vscode.CancellationToken) {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  const { signal } = controller;
  try {
    const client = await supervisor.ready(signal);
    const { agentServer } = await import('@devdb/shared/protocol/agent-methods');
    return await client.call(agentServer, {}, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS });
  } finally {
    listening.dispose();
  }
}
