import { homedir } from 'node:os';
import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import { pathText } from '@devdb/shared/plain-text';
import { exportActivity } from '@devdb/shared/protocol/activity-methods';
import * as vscode from 'vscode';
import { editorText } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';

const TOLD_MS = 5_000;

/** Writes the kept calls as JSON lines into a file that the user chooses. */
export async function exportActivityTo(
  sidecar: SidecarClient,
  withoutValues: boolean,
  signal: AbortSignal,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title: withoutValues ? 'Export the activity without values' : 'Export the activity',
    defaultUri: vscode.Uri.joinPath(folder, 'devdb-activity.jsonl'),
    filters: { 'JSON Lines': ['jsonl'] },
  });
  if (target === undefined) return;
  const { text, calls } = await sidecar.call(
    exportActivity,
    { withoutValues },
    { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS },
  );
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  vscode.window.setStatusBarMessage(editorText`DevDB: ${calls} calls written to ${pathText(target.fsPath)}`, TOLD_MS);
}
