import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import * as vscode from 'vscode';
import type { Supervisor } from '../sidecar/supervisor.ts';
import { sentenceOf } from '../window/commands.ts';
import type { Toasts } from '../window/toasts.ts';
import { KeptStore } from './kept-store.ts';

export interface ConnectionParts {
  readonly supervisor: Supervisor;
  readonly secrets: vscode.SecretStorage;
  readonly store: KeptStore;
  readonly toasts: Toasts;
  readonly onFault: (error: unknown) => void;
  /** Aborts with the extension, and ends what a command waits for. */
  readonly signal: AbortSignal;
}

const COMMANDS = {
  'devdb.addConnection': 'add',
  'devdb.removeConnection': 'remove',
  'devdb.setPassword': 'setPassword',
} as const;

/** The commands for connections, and the listener for what other windows store for the same project. */
export function registerConnections({
  supervisor,
  secrets,
  store,
  toasts,
  onFault,
  signal,
}: ConnectionParts): vscode.Disposable[] {
  const client = (waiting: AbortSignal) => supervisor.ready(waiting);
  const commands = Object.entries(COMMANDS).map(([name, what]) =>
    vscode.commands.registerCommand(name, async (known: unknown) => {
      try {
        // Most windows never need it.
        const { ConnectionCommands } = await import('./commands.ts');
        await new ConnectionCommands({ client, store, signal })[what](known);
      } catch (error) {
        if (!signal.aborted) toasts.tell({ level: 'error', message: sentenceOf(error) });
      }
    }),
  );
  const changes = secrets.onDidChange(({ key }) => {
    const root = KeptStore.rootOf(key);
    if (root !== undefined) tellChanged(supervisor, root, signal).catch(onFault);
  });
  return [...commands, changes];
}

/** Without a sidecar there is nothing to do: it asks for everything when it starts. */
async function tellChanged({ client }: Supervisor, root: string, signal: AbortSignal): Promise<void> {
  if (client === undefined) return;
  const { keptConnectionsChanged } = await import('@devdb/shared/protocol/connection-methods');
  try {
    await client.call(keptConnectionsChanged, { root }, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS });
  } catch (error) {
    if (!client.closed) throw error;
  }
}
