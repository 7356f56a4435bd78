import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Lifetime } from '@devdb/shared/lifetime';
import type { Answer, Question } from '@devdb/shared/protocol';
import { allTools } from '@devdb/shared/tools';
import * as vscode from 'vscode';
import { registerLmTools } from './lm/register-tools.ts';
import { chosenNodePath, windowProjects } from './settings.ts';
import type { EditorSide } from './sidecar/sidecar-client.ts';
import { type SidecarState, Supervisor } from './sidecar/supervisor.ts';
import { StatusItem } from './status.ts';

const ONCE = 'Run once';
const SESSION = 'Run for this session';

/** Makes every object of the extension and starts the sidecar; the lifetime ends it all. */
export function compose(context: vscode.ExtensionContext, env: Readonly<Record<string, string | undefined>>): Lifetime {
  const lifetime = new Lifetime();
  const output = lifetime.own(vscode.window.createOutputChannel('DevDB', { log: true }), (channel) =>
    channel.dispose(),
  );
  const status = lifetime.own(new StatusItem(), (item) => item.dispose());
  const supervisor = lifetime.own(
    new Supervisor({
      command: () => ({
        nodePath: chosenNodePath() ?? process.execPath,
        script: join(context.extensionPath, 'dist', 'sidecar', 'sidecar.js'),
        env,
      }),
      projects: windowProjects,
      side: editorSide(context, output),
      onState: (state) => showState(state, status, output),
      onLogLine: (line) => output.info(line),
      log: (line) => output.warn(line),
      now: () => Date.now(),
      pause,
    }),
    (it) => it.end(),
  );
  const restart = () => {
    supervisor.restart().catch((error: unknown) => output.error(`Restart failed: ${String(error)}`));
  };
  const update = () => {
    supervisor.update().catch((error: unknown) => output.error(`DevDB could not follow a change: ${String(error)}`));
  };
  const parts = [
    ...registerLmTools({
      tools: allTools,
      client: (signal) => supervisor.ready(signal),
      log: (line) => output.info(line),
    }),
    vscode.commands.registerCommand('devdb.showLog', () => output.show()),
    vscode.commands.registerCommand('devdb.restart', restart),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('Devdb')) update();
    }),
  ];
  for (const part of parts) lifetime.own(part, (it) => it.dispose());
  restart();
  return lifetime;
}

function editorSide(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): EditorSide {
  const { packageJSON } = context.extension;
  return {
    version: String(packageJSON.version),
    editor: `${vscode.env.appName} ${vscode.version}`,
    client: { id: randomUUID(), name: vscode.env.appName },
    ask: askInDialog,
    notify: ({ level, message }) => {
      output[level](message);
      if (level === 'error') void vscode.window.showInformationMessage(message);
    },
    projectChanged: () => undefined,
    onFault: (error) => output.error(String(error)),
  };
}

async function askInDialog({ title, message }: Question): Promise<Answer> {
  const choice = await vscode.window.showWarningMessage(title, { modal: true, detail: message }, ONCE, SESSION);
  if (choice === undefined) return 'no';
  return choice === SESSION ? 'session' : 'once';
}

function showState(state: SidecarState, status: StatusItem, output: vscode.LogOutputChannel): void {
  status.show(state);
  if (state.kind !== 'failed') return;
  const sentence = `DevDB stopped and was not started again: ${state.reason}. Run "DevDB: Restart" to try once more.`;
  output.error(sentence);
  void vscode.window.showInformationMessage(sentence);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await after(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
