import { nameText, quoted } from '@devdb/shared/plain-text';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import * as vscode from 'vscode';
import { editorText } from '../editor-text.ts';
import type { Supervisor } from '../sidecar/supervisor.ts';
import type { AlwaysAsk } from '../window/always-ask.ts';
import { sentenceOf } from '../window/commands.ts';
import type { Reports } from '../window/reports.ts';
import type { Toasts } from '../window/toasts.ts';
import type { ActivityView } from './activity/activity-view.ts';
import type { DatabasesView } from './databases/databases-view.ts';
import type { TreeNode } from './databases/nodes.ts';
import type { HistoryView, RanRow } from './history/history-view.ts';

export interface ViewParts {
  readonly supervisor: Supervisor;
  readonly alwaysAsk: AlwaysAsk;
  readonly extensionUri: vscode.Uri;
  readonly reports: Reports;
  readonly toasts: Toasts;
  readonly onFault: (error: unknown) => void;
  /** Aborts with the extension. */
  readonly signal: AbortSignal;
}

const DATABASE_COMMANDS = [
  'refresh',
  'filter',
  'showAll',
  'newQuery',
  'copyName',
  'copySelect',
  'copyLink',
  'openData',
  'showDdl',
  'revealSource',
  'approve',
  'setPassword',
  'addSuggested',
  'showDiagram',
] as const;

const HISTORY_COMMANDS = ['search', 'run', 'open', 'copy', 'delete', 'deleteAll'] as const;

/** The views of the activity bar. Their code is loaded when one of them is shown first. */
export class Views {
  readonly #parts: ViewParts;
  readonly #registered: vscode.Disposable[] = [];
  readonly #treeChanged = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #historyChanged = new vscode.EventEmitter<undefined>();
  #history: Promise<HistoryView> | undefined;
  #activity: Promise<ActivityView> | undefined;
  #databases: Promise<DatabasesView> | undefined;
  readonly #showFilter: (filter: string) => void;
  #isEnded = false;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    const { commands, window } = vscode;
    const tree = window.createTreeView<TreeNode>('devdb.databases', {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: this.#treeChanged.event,
        getChildren: async (node) => (await this.#databasesView()).tree.getChildren(node),
        getTreeItem: async (node) => (await this.#databasesView()).tree.getTreeItem(node),
      },
    });
    this.#showFilter = (filter) => {
      tree.message = filter === '' ? '' : editorText`Tables named like ${quoted(nameText(filter))}`;
      void commands.executeCommand('setContext', 'devdb.isFiltered', filter !== '');
    };
    this.#registered.push(
      this.#treeChanged,
      window.registerWebviewViewProvider('devdb.activity', {
        resolveWebviewView: async (view) => (await this.#activityView()).show(view),
      }),
      tree,
      this.#historyChanged,
      window.createTreeView<RanRow>('devdb.history', {
        treeDataProvider: {
          onDidChangeTreeData: this.#historyChanged.event,
          getChildren: async () => (await this.#historyView()).rows(),
          getTreeItem: async (row) => (await this.#historyView()).item(row),
        },
      }),
      ...HISTORY_COMMANDS.map((name) =>
        commands.registerCommand(`devdb.history.${name}`, (row?: RanRow) =>
          this.#run(async () => (await this.#historyView())[name](row)),
        ),
      ),
      window.registerWebviewPanelSerializer('devdb.diagram', {
        deserializeWebviewPanel: async (panel, state: unknown) =>
          (await this.#databasesView()).restoreDiagram(panel, state),
      }),
      window.registerUriHandler({
        handleUri: (uri) => this.#run(async () => (await this.#databasesView()).openLink(uri)),
      }),
      commands.registerCommand('devdb.activity.export', () => this.#run(() => this.#export(false))),
      commands.registerCommand('devdb.activity.exportWithoutValues', () => this.#run(() => this.#export(true))),
      ...DATABASE_COMMANDS.map((name) =>
        commands.registerCommand(`devdb.databases.${name}`, (node?: TreeNode) =>
          this.#run(async () => (await this.#databasesView()).run(name, node)),
        ),
      ),
    );
  }

  /** The sidecar reported calls that began, changed or ended. */
  heard(calls: readonly CallRecord[]): void {
    this.#activity?.then((view) => view.heard(calls)).catch(this.#parts.onFault);
  }

  /** The sidecar's state, or something in its projects, has changed. */
  changed(): void {
    this.#activity?.then((view) => view.sidecarChanged()).catch(this.#parts.onFault);
    this.#databases?.then(({ tree }) => tree.refresh()).catch(this.#parts.onFault);
    this.ran();
  }

  /** The person has run something. */
  ran(): void {
    if (!this.#isEnded) this.#historyChanged.fire(undefined);
  }

  dispose(): void {
    this.#isEnded = true;
    for (const one of this.#registered) one.dispose();
    this.#activity?.then((view) => view.dispose()).catch(this.#parts.onFault);
  }

  async #run(work: () => Promise<void>): Promise<void> {
    const { toasts, signal } = this.#parts;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) toasts.tell({ level: 'error', message: sentenceOf(error) });
    }
  }

  #activityView(): Promise<ActivityView> {
    this.#activity ??= import('./activity/activity-view.ts').then(({ ActivityView: View }) => {
      const { supervisor, extensionUri, alwaysAsk, onFault, signal } = this.#parts;
      return new View({
        extensionUri,
        alwaysAsk,
        onChosen: () => supervisor.update(),
        onFault,
        signal,
        client: () => supervisor.client,
      });
    });
    return this.#activity;
  }

  #historyView(): Promise<HistoryView> {
    this.#history ??= import('./history/history-view.ts').then(({ HistoryView: View }) => {
      const { supervisor, signal } = this.#parts;
      return new View({
        client: (waiting) => supervisor.ready(waiting),
        isRunning: () => supervisor.client !== undefined,
        roots: () => rootsOf(supervisor),
        onChanged: () => this.ran(),
        signal,
      });
    });
    return this.#history;
  }

  #databasesView(): Promise<DatabasesView> {
    this.#databases ??= import('./databases/databases-view.ts').then(({ DatabasesView: View }) => {
      const { supervisor, extensionUri, reports, onFault, signal } = this.#parts;
      const view = new View({
        extensionUri,
        client: (waiting) => supervisor.ready(waiting),
        roots: () => rootsOf(supervisor),
        reports,
        onFault,
        onFilter: this.#showFilter,
        signal,
      });
      view.tree.onDidChangeTreeData((node) => {
        if (!this.#isEnded) this.#treeChanged.fire(node);
      });
      return view;
    });
    return this.#databases;
  }

  async #export(withoutValues: boolean): Promise<void> {
    const { exportActivityTo } = await import('./activity/export-activity.ts');
    await exportActivityTo(await this.#parts.supervisor.ready(this.#parts.signal), withoutValues, this.#parts.signal);
  }
}

function rootsOf({ state }: Supervisor): readonly string[] {
  return state.kind === 'running' ? state.projects.flatMap((one) => ('root' in one ? [one.root] : [])) : [];
}
