import { basename } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { DoctorText } from '@devdb/shared/protocol/doctor-method';
import { CLIENT_TITLES, SETUP_CLIENTS } from '@devdb/shared/protocol/setup-clients';
import * as vscode from 'vscode';
import { type EditorText, editorText, forEditor } from '../editor-text.ts';
import type { Supervisor } from '../sidecar/supervisor.ts';
import { menuRows } from './menu.ts';
import type { Reports } from './reports.ts';
import type { Toasts } from './toasts.ts';
import type { WindowState } from './window-state.ts';

const COPIED_SHOWN_MS = 4_000;

export interface CommandParts {
  readonly supervisor: Supervisor;
  readonly state: () => WindowState;
  readonly output: vscode.LogOutputChannel;
  readonly toasts: Toasts;
  readonly reports: Reports;
  /** Aborts with the extension, and ends what a command waits for. */
  readonly signal: AbortSignal;
}

/** The commands of the palette, which the menu uses as well. */
export function registerCommands(parts: CommandParts): vscode.Disposable[] {
  const { supervisor, output } = parts;
  const commands: Readonly<Record<string, () => unknown>> = {
    'devdb.showMenu': () => showMenu(parts),
    'devdb.copyServerUrl': () => copyServerUrl(parts),
    'devdb.copySetup': () => copySetup(parts),
    'devdb.doctor': () => showDoctor(parts),
    'devdb.restart': () => supervisor.restart(),
    'devdb.start': () => supervisor.restart(),
    'devdb.stop': () => supervisor.stop(),
    'devdb.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'Devdb.'),
    'devdb.showLog': () => output.show(),
  };
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        parts.toasts.tell({ level: 'error', message: sentenceOf(error) });
      }
    }),
  );
}

async function showMenu({ state }: CommandParts): Promise<void> {
  const chosen = await vscode.window.showQuickPick([...menuRows(state())], { title: 'DevDB' });
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command);
}

async function copyServerUrl(parts: CommandParts): Promise<void> {
  const project = await chooseProject(parts, editorText`Copy the server URL of which project?`);
  if (project === undefined) return;
  await copy(`http://127.0.0.1:${project.port}/mcp`, plain`server URL of ${nameText(basename(project.root))}`);
}

async function copySetup({ supervisor, signal }: CommandParts): Promise<void> {
  const rows = SETUP_CLIENTS.map((client) => ({ label: forEditor(nameText(CLIENT_TITLES[client])), client }));
  const chosen = await vscode.window.showQuickPick(rows, { title: 'Copy the set-up for which client?' });
  if (chosen === undefined) return;
  const sidecar = await supervisor.ready(signal);
  await copy(
    await sidecar.setupText(chosen.client, signal),
    plain`set-up for ${nameText(CLIENT_TITLES[chosen.client])}`,
  );
}

async function showDoctor(parts: CommandParts): Promise<void> {
  const project = await chooseProject(parts, editorText`Report about which project?`);
  if (project === undefined) return;
  const sidecar = await parts.supervisor.ready(parts.signal);
  // In the status bar: it may take a while, and a toast is for failures.
  const progress = { location: vscode.ProgressLocation.Window, title: 'DevDB: trying the databases' };
  const report = await vscode.window.withProgress(progress, () => sidecar.doctorText(project.root, parts.signal));
  await parts.reports.show(plain`DevDB doctor: ${nameText(basename(project.root))}`, report.text);
  // Not awaited: the offer may stay on the screen for long.
  if (report.suggestion !== undefined) void offer(project.root, report.suggestion);
}

/** Where a database was only half understood, its user can complete it: the wizard begins with what is known. */
async function offer(root: string, { file, line, connection }: NonNullable<DoctorText['suggestion']>): Promise<void> {
  const where = line === undefined ? pathText(file) : plain`${pathText(file)}:${line}`;
  const add = 'Add it...';
  const question = editorText`DevDB understood only a part of the database in ${where}.`;
  if ((await vscode.window.showInformationMessage(question, add)) !== add) return;
  await vscode.commands.executeCommand('devdb.addConnection', { root, connection });
}

/** The window's only project, or the one the user chooses; undefined when they choose none. */
async function chooseProject({ state, supervisor, signal }: CommandParts, title: EditorText) {
  await supervisor.ready(signal);
  const { sidecar } = state();
  const open = sidecar.kind === 'running' ? sidecar.projects.flatMap((one) => ('port' in one ? [one] : [])) : [];
  const [first, ...others] = open;
  if (first === undefined) throw new AppError('E_PROJECT_NOT_OPEN', 'DevDB serves no project in this window.');
  if (others.length === 0) return first;
  const rows = open.map((project) => ({
    label: forEditor(nameText(basename(project.root))),
    description: forEditor(pathText(project.root)),
    project,
  }));
  return (await vscode.window.showQuickPick(rows, { title }))?.project;
}

async function copy(text: string, what: PlainText): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(editorText`DevDB: ${what} copied`, COPIED_SHOWN_MS);
}

/** The message shown for a failed command. */
export function sentenceOf(error: unknown): PlainText {
  if (!(error instanceof AppError)) {
    return plain`DevDB: ${sentenceText(error instanceof Error ? error.message : String(error))}`;
  }
  const message = sentenceText(error.message);
  return error.hint === undefined ? message : plain`${message} ${sentenceText(error.hint)}`;
}
