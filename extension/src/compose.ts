import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Lifetime } from '@devdb/shared/lifetime';
import { type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { KeptStore } from './add-connection/kept-store.ts';
import { registerConnections } from './add-connection/register.ts';
import type { AgentAccess } from './agent/agent-access.ts';
import { ClaudeOffer, setUpClaudeCode } from './agent/claude-offer.ts';
import { offerToAgent } from './agent/offer-to-agent.ts';
import { Questions } from './ask/questions.ts';
import { LazyDebugger } from './debug/register.ts';
import { openFiles } from './editor/open-files.ts';
import type { EditorSide } from './sidecar/sidecar-client.ts';
import type { SidecarCommand } from './sidecar/sidecar-process.ts';
import { type SidecarState, Supervisor } from './sidecar/supervisor.ts';
import { EditorTools } from './tools/editor-tools.ts';
import { registerQuery } from './views/query/register.ts';
import { Views } from './views/register.ts';
import { AlwaysAsk } from './window/always-ask.ts';
import { registerCommands } from './window/commands.ts';
import { linkOpener } from './window/link-opener.ts';
import { type LeveledLog, onlyProblems, showLogLine } from './window/log-lines.ts';
import { readsTerminals } from './window/project-settings.ts';
import { Reports } from './window/reports.ts';
import { chosenNodePath, isLogging, openFolders, settingProblems, windowProjects } from './window/settings.ts';
import { StatusItem } from './window/status.ts';
import { Toasts } from './window/toasts.ts';
import { WindowStateKeeper } from './window/window-state.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Makes every object of the extension and starts the sidecar; the lifetime's end closes everything. */
export async function compose(context: vscode.ExtensionContext, env: Env, lifetime: Lifetime): Promise<void> {
  const ended = lifetime.own(new AbortController(), (it) => it.abort());
  const output = lifetime.own(vscode.window.createOutputChannel('DevDB', { log: true }), (it) => it.dispose());
  const status = lifetime.own(new StatusItem(), (it) => it.dispose());
  const reports = lifetime.own(new Reports(), (it) => it.dispose());
  const toasts = new Toasts(output);
  const onFault = (error: unknown) => output.error(plain`DevDB: ${sentenceText(String(error))}`);
  const keeper = lifetime.own(
    new WindowStateKeeper({
      hasFolder: () => openFolders().length > 0,
      client: () => supervisor.client,
      onState: (state) => status.show(state),
      onFault,
    }),
    (it) => it.dispose(),
  );
  const alwaysAsk = new AlwaysAsk(context.workspaceState);
  const store = new KeptStore(context.secrets);
  let offer: ClaudeOffer | undefined;
  let log: LeveledLog = output;
  const serverChanged = lifetime.own(new vscode.EventEmitter<void>(), (it) => it.dispose());
  const debug = lifetime.own(new LazyDebugger(), (it) => it.dispose());
  const editorTools = lifetime.own(
    new EditorTools({ storage: context.globalStorageUri.fsPath, debug: debug.get, onFault }),
    (it) => it.end(),
  );
  editorTools.repair().catch(onFault);
  const supervisor: Supervisor = lifetime.own(
    new Supervisor({
      command: () => sidecarCommand(context, env, output),
      projects: () => alwaysAsk.withNames(windowProjects()),
      side: {
        ...editorSide(context, toasts, onFault),
        kept: (root) => store.read(root),
        runTool: editorTools.run,
        look: openFiles,
        activity: (calls) => views.heard(calls),
        projectChanged: () => {
          void keeper.refresh();
          views.changed();
        },
      },
      onState: (state) => {
        keeper.sidecarIs(state);
        tellState(state, toasts);
        if (state.kind === 'running') offer?.sidecarRuns().catch(onFault);
        serverChanged.fire();
        views.changed();
      },
      onLogLine: (line) => showLogLine(line, log),
      log: (line) => output.warn(sentenceText(line)),
      now: () => Date.now(),
      pause,
    }),
    (it) => it.end(),
  );
  const { extensionUri } = context;
  const views: Views = lifetime.own(
    new Views({ supervisor, alwaysAsk, extensionUri, reports, toasts, onFault, signal: ended.signal }),
    (it) => it.dispose(),
  );
  const claude = { client: (signal: AbortSignal) => supervisor.ready(signal), toasts, signal: ended.signal };
  if (context.extensionMode !== vscode.ExtensionMode.Test)
    offer = new ClaudeOffer({ ...claude, memory: context.globalState });
  let agent: AgentAccess | undefined;
  const update = () => {
    // Once for each change of a setting: reading one takes longer than showing a line.
    log = isLogging() ? output : onlyProblems(output);
    supervisor.update().catch(onFault);
    keeper.look();
    agent?.update();
    if (windowProjects().some(({ settings }) => readsTerminals(settings))) editorTools.watchTerminals().catch(onFault);
    for (const problem of settingProblems()) {
      toasts.tell({ level: 'error', message: sentenceText(problem), once: problem });
    }
  };
  const parts = [
    ...registerCommands({ supervisor, state: () => keeper.state, output, toasts, reports, signal: ended.signal }),
    ...registerConnections({ supervisor, secrets: context.secrets, store, toasts, onFault, signal: ended.signal }),
    ...registerQuery({
      extensionUri: context.extensionUri,
      client: (signal) => supervisor.ready(signal),
      running: () => supervisor.client,
      rootOf: (folder) => servedRoot(supervisor.state, folder),
      memory: context.workspaceState,
      onRan: () => views.ran(),
      toasts,
      onFault,
      signal: ended.signal,
    }),
    vscode.commands.registerCommand('devdb.setUpClaude', () => setUpClaudeCode(claude)),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('Devdb')) update();
    }),
    // The user may have changed files elsewhere, which no event reports.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void keeper.refresh();
    }),
  ];
  for (const part of parts) lifetime.own(part, (it) => it.dispose());
  update();
  agent = lifetime.own(
    offerToAgent(supervisor, serverChanged.event, (line) => output.info(sentenceText(line))),
    (it) => it.dispose(),
  );
  agent.update();
}

function sidecarCommand(context: vscode.ExtensionContext, env: Env, output: vscode.LogOutputChannel): SidecarCommand {
  const isDebug = output.logLevel === vscode.LogLevel.Trace || output.logLevel === vscode.LogLevel.Debug;
  return {
    nodePath: chosenNodePath() ?? process.execPath,
    script: join(context.extensionPath, 'dist', 'sidecar', 'sidecar.js'),
    env: isDebug ? { DEVDB_LOG_LEVEL: 'debug', ...env } : env,
  };
}

function editorSide(
  context: vscode.ExtensionContext,
  toasts: Toasts,
  onFault: EditorSide['onFault'],
): Omit<EditorSide, 'activity' | 'projectChanged' | 'runTool'> {
  const { packageJSON } = context.extension;
  const questions = new Questions(async (question, signal) => {
    const { showInPanel } = await import('./ask/question-panel.ts');
    return showInPanel(question, signal);
  });
  return {
    version: String(packageJSON.version),
    editor: `${vscode.env.appName} ${vscode.version}`,
    linkOpener: linkOpener(),
    client: { id: randomUUID(), name: vscode.env.appName },
    ask: (question, signal) => questions.ask(question, signal),
    notify: (news) => toasts.tell(news),
    onFault,
  };
}

function tellState(state: SidecarState, toasts: Toasts): void {
  void vscode.commands.executeCommand('setContext', 'devdb.state', state.kind);
  if (state.kind === 'failed') toasts.tell({ level: 'error', message: failureSentence(state.reason) });
  if (state.kind !== 'running') return;
  for (const project of state.projects) {
    if (!('problem' in project)) continue;
    toasts.tell({
      level: 'error',
      message: plain`DevDB: ${sentenceText(project.problem)}`,
      once: `not-opened ${project.given}`,
    });
  }
}

/** The project that a folder of the window is served as; the first one for no folder. */
function servedRoot(state: SidecarState, folder: string | undefined): string | undefined {
  if (state.kind !== 'running') return undefined;
  const served = state.projects.flatMap((one) => ('port' in one ? [one] : []));
  return (served.find(({ given }) => given === folder) ?? served[0])?.root;
}

function failureSentence(reason: string): PlainText {
  const node = chosenNodePath();
  const about =
    node === undefined
      ? plain``
      : plain` It was to run with ${pathText(node)}, from the setting Devdb.sidecar.nodePath.`;
  return plain`DevDB stopped and was not started again: ${sentenceText(reason)}.${about} Run "DevDB: Restart" to try once more; "DevDB: View log" says more.`;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await after(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
