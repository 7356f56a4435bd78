import * as vscode from 'vscode';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { sentenceOf } from '../../window/commands.ts';
import type { Toasts } from '../../window/toasts.ts';
import type { Queries } from './queries.ts';
import { registerLanguage } from './register-language.ts';

export interface QueryParts {
  readonly extensionUri: vscode.Uri;
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  /** The sidecar while it runs; its projects by the folders that the window has. */
  readonly running: () => SidecarClient | undefined;
  readonly rootOf: (folder: string | undefined) => string | undefined;
  readonly memory: vscode.Memento;
  /** Statements have ended, and the history may have more. */
  readonly onRan: () => void;
  readonly toasts: Toasts;
  readonly onFault: (error: unknown) => void;
  /** Aborts with the extension, and ends what a command waits for. */
  readonly signal: AbortSignal;
}

const COMMANDS = {
  'devdb.newQuery': 'open',
  'devdb.query.openData': 'openData',
  'devdb.query.openRows': 'openRows',
  'devdb.query.openTable': 'openTable',
  'devdb.query.showTable': 'showTable',
  'devdb.query.openStatement': 'openStatement',
  'devdb.query.explainStatement': 'explainStatement',
  'devdb.explainStatement': 'explain',
  'devdb.runStatement': 'run',
  'devdb.runAllStatements': 'runAll',
  'devdb.chooseDatabase': 'choose',
} as const;

/** The commands for .sql files and the lenses above their statements. What they do is loaded when it is used. */
export function registerQuery(parts: QueryParts): vscode.Disposable[] {
  let made: Promise<Queries> | undefined;
  const queries = () => {
    made ??= import('./queries.ts').then(({ Queries: Made }) => new Made(parts));
    return made;
  };
  const commands = Object.entries(COMMANDS).map(([name, what]) =>
    vscode.commands.registerCommand(name, async (uri?: unknown, place?: unknown) => {
      try {
        await (await queries())[what](uri, place);
      } catch (error) {
        if (!parts.signal.aborted) parts.toasts.tell({ level: 'error', message: sentenceOf(error) });
      }
    }),
  );
  const language = registerLanguage({
    language: async () => (await queries()).language,
    isRunning: () => parts.running() !== undefined,
  });
  const left = [
    vscode.window.registerWebviewPanelSerializer('devdb.results', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await queries()).restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('devdb.plan', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await queries()).restorePlan(panel, state),
    }),
  ];
  const end = new vscode.Disposable(() => made?.then((it) => it.end()).catch(parts.onFault));
  return [...commands, ...language, ...left, end];
}
