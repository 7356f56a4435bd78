import type { ProjectSettings, WindowProject } from '@devdb/shared/protocol/handshake';
import { DEFAULT_TOOLSETS, TOOLSETS } from '@devdb/shared/tools';
import * as vscode from 'vscode';

const WRITES = ['ask', 'allow', 'deny'] as const;
const ENTRIES = ['stdio', 'http', 'off'] as const;

/** The window's folders in which DevDB is on, each with its settings. The folder's value wins over the workspace's and the user's. */
export function windowProjects(): WindowProject[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders
    .filter(({ uri }) => vscode.workspace.getConfiguration('Devdb', uri).get<boolean>('enableMcpServer', true))
    .map(({ uri }) => ({ root: uri.fsPath, settings: projectSettings(uri) }));
}

/** The Node the user chose for the sidecar; undefined is the editor's own. */
export function chosenNodePath(): string | undefined {
  const path = vscode.workspace.getConfiguration('Devdb').get<string>('sidecar.nodePath', '');
  return path === '' ? undefined : path;
}

function projectSettings(folder: vscode.Uri): ProjectSettings {
  const config = vscode.workspace.getConfiguration('Devdb', folder);
  const port = config.get<number | null>('http.port', null);
  const wanted = config.get<string>('database.writes', 'ask');
  const toolsets = config.get<readonly string[]>('mcp.toolsets', DEFAULT_TOOLSETS);
  return {
    // A word that is none of ours must not loosen anything.
    writes: WRITES.find((known) => known === wanted) ?? 'ask',
    trusted: vscode.workspace.isTrusted,
    toolsets: TOOLSETS.filter((known) => toolsets.includes(known)),
    disabledTools: [...config.get<readonly string[]>('mcp.disabledTools', [])],
    mcpJson: {
      entry: ENTRIES.find((known) => known === config.get('mcpJson.entry')) ?? 'stdio',
      inGit: config.get('mcpJson.inGit') === true,
    },
    ...(port === null ? {} : { fixedPort: port }),
  };
}
