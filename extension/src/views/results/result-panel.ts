import { AppError } from '@devdb/shared/errors';
import { nameText, plain } from '@devdb/shared/plain-text';
import {
  applyChanges,
  previewChanges,
  relatedRows,
  resultTable,
  tableCondition,
} from '@devdb/shared/protocol/edit-methods';
import type { ResultOf } from '@devdb/shared/protocol/method';
import { arrangeRows, copyRows, readCell, readRows } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { loadPage } from '../frame/load-page.ts';
import { savePicture } from '../frame/save-picture.ts';
import { exportRun } from './export-run.ts';
import { type KeptTab, keepable, type OpenedTable } from './kept-tab.ts';
import { PacedNews } from './paced-news.ts';
import {
  type Ask,
  type FromPage,
  fromPageSchema,
  type RowSort,
  type ShownResult,
  type TableOrder,
  type ToPage,
} from './page-messages.ts';
import { PersonRun, RUN_LIMIT_MS, type Runnable, type TableReading } from './person-run.ts';
import { Unapplied } from './unapplied.ts';

/** Sorting millions of rows takes a while; a page takes milliseconds. */
const ASK_LIMIT_MS = 120_000;
/** Of more rows, which the page counts. */
const MORE_ROWS_MS = 50;
/** Drawing a number holds up the keys that are typed in another editor. */
const MORE_ROWS_ELSEWHERE_MS = 1_000;

export interface PanelParts extends Pick<KeptTab, 'key' | 'title' | 'source'> {
  /** The extension's folder. */
  readonly extensionUri: vscode.Uri;
  /** Whether the editor may keep statements over a reload. */
  readonly mayKeep: () => boolean;
  readonly onFault: (error: unknown) => void;
  readonly onClosed: () => void;
}

/** What can be done with what is on show. */
export interface PanelActions {
  readonly runAgain: () => Promise<void>;
  /** Opens the statement in an editor, where it has none. */
  readonly openStatement?: () => Promise<void>;
  /** Reads the table anew: the database sorts and filters all of it. */
  readonly readTable?: ((reading: TableReading) => Promise<void>) | undefined;
  /** The table that it shows. */
  readonly table?: OpenedTable | undefined;
}

/** A tab that was there before its window was reloaded, and what was kept of it. */
export interface LeftTab {
  readonly panel: vscode.WebviewPanel;
  readonly tab: KeptTab;
}

/** The tab with the results of what was run last from one file, or of a statement that is in none. */
export class ResultPanel {
  readonly #parts: PanelParts;
  #panel: vscode.WebviewPanel;
  #runs: readonly PersonRun[] = [];
  /** Another one for every time that statements are run. */
  #round = {};
  readonly #unapplied: Unapplied;
  #actions: PanelActions | undefined;
  /** What the editor keeps over a reload. */
  #kept: KeptTab | undefined;
  #isReady = false;
  readonly #news = new PacedNews(() => this.#tell());
  #isClosed = false;
  /** With the window, or when it is dismissed. */
  #isEnding = false;

  constructor(parts: PanelParts, left?: LeftTab) {
    this.#parts = parts;
    this.#unapplied = new Unapplied(parts.title);
    this.#kept = left?.tab;
    this.#panel = left === undefined ? this.#open() : this.#use(left.panel);
  }

  /** What can be done with what it shows from now on. */
  offer(actions: PanelActions): void {
    this.#actions = actions;
  }

  /** Runs statements one after the other; what was shown before goes. Resolves to the first that failed, and why. */
  async run(client: SidecarClient, runnables: readonly Runnable[]): Promise<Failure | undefined> {
    if (!(await this.#unapplied.mayGo())) return undefined;
    const table = this.#runs.find(({ runnable }) => runnable.table !== undefined);
    this.#drop();
    const round = {};
    this.#round = round;
    const runs = runnables.map((runnable) => {
      // A table that is read anew keeps its columns and its reader's place among them.
      const successor = runnable.table && table && { replaces: table.id };
      return new PersonRun(client, runnable, (isMoreRows) => this.#tellSoon(isMoreRows), successor);
    });
    this.#runs = runs;
    this.#keep(runs);
    client.gone.then(() => {
      if (this.#round === round) this.#post({ kind: 'gone' });
    });
    if (this.#isClosed) this.#panel = this.#open();
    else if (!this.#panel.visible) this.#panel.reveal(undefined, this.#isBesideText);
    for (const [at, run] of runs.entries()) {
      if (this.#round !== round || this.#isClosed) return undefined;
      const error = await run.run();
      this.#keep(runs);
      if (error === undefined) continue;
      for (const skipped of runs.slice(at + 1)) skipped.skip();
      return { at, error };
    }
    return undefined;
  }

  /** Closes the tab. */
  close(): void {
    this.#isEnding = true;
    if (this.#isClosed) this.#leave();
    else this.#panel.dispose();
  }

  /** Whoever has a text goes on in it; without one the rows are what was asked for. */
  get #isBesideText(): boolean {
    return this.#parts.source === 'file';
  }

  #open(): vscode.WebviewPanel {
    const { Active, Beside } = vscode.ViewColumn;
    const panel = vscode.window.createWebviewPanel(
      'devdb.results',
      forEditor(plain`Results: ${nameText(this.#parts.title)}`),
      { viewColumn: this.#isBesideText ? Beside : Active, preserveFocus: this.#isBesideText },
      { retainContextWhenHidden: true },
    );
    return this.#use(panel);
  }

  #use(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    this.#isClosed = false;
    this.#isReady = false;
    panel.webview.onDidReceiveMessage((raw: unknown) => this.#hear(raw));
    panel.onDidDispose(() => this.#closed());
    loadPage(panel.webview, this.#parts.extensionUri, {
      view: 'results',
      main: `<main id="results" data-source="${this.#parts.source}"><h1 class="unseen">Results</h1></main>`,
      // A chart is drawn once more to be saved as a PNG.
      more: 'img-src data:; ',
    });
    return panel;
  }

  /** Has the editor keep what these are: the statements alone, unless their user wants none of them kept. */
  #keep(runs: readonly PersonRun[]): void {
    const { key, title, source } = this.#parts;
    const statements = runs.map(({ runnable: { root, connection, query }, database }) => ({
      root,
      connection,
      query,
      database,
    }));
    const tab = { key, title, source, statements, table: this.#actions?.table };
    this.#kept = this.#parts.mayKeep() ? keepable(tab) : undefined;
    if (this.#isReady) this.#post({ kind: 'keep', tab: this.#kept });
  }

  /** The page is there. */
  #begin(): void {
    this.#isReady = true;
    this.#post({ kind: 'keep', tab: this.#kept });
    if (this.#runs.length === 0 && this.#kept !== undefined)
      this.#post({ kind: 'left', statements: this.#kept.statements });
    this.#news.now();
    for (const [result, changes] of this.#unapplied.changes) this.#post({ kind: 'restore', result, changes });
    if (this.#runs.some(({ client }) => client.closed)) this.#post({ kind: 'gone' });
  }

  #hear(raw: unknown): void {
    const message = fromPageSchema.safeParse(raw);
    if (message.success) this.#answer(message.data).catch(this.#parts.onFault);
    else this.#parts.onFault(message.error);
  }

  async #answer(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return this.#begin();
      case 'cancel':
        for (const run of this.#runs) run.cancel();
        return;
      case 'run-again':
        return this.#actions?.runAgain();
      case 'open-statement':
        return this.#actions?.openStatement?.();
      case 'sort-table': {
        const { runnable, shown } = this.#runOf(message.result);
        const order = orderOf(message.sort, shown);
        if (message.sort !== undefined && order === undefined) return undefined;
        return this.#actions?.readTable?.({ ...readingOf(runnable), order });
      }
      case 'pending':
        this.#unapplied.set(message.result, message.count, message.changes);
        return;
      case 'save-chart':
        return this.#saveChart(message);
      case 'export':
        return exportRun(this.#runOf(message.result), message.arranged);
      default:
        return this.#answerAsk(message);
    }
  }

  async #saveChart({ result, form, data }: Extract<FromPage, { kind: 'save-chart' }>): Promise<void> {
    const bytes = Buffer.from(data, form === 'svg' ? 'utf8' : 'base64');
    const { root: folder } = this.#runOf(result).runnable;
    await savePicture({ form, bytes, title: `Chart ${this.#parts.title}`, folder, heading: 'Save the chart' });
  }

  async #answerAsk(message: Ask): Promise<void> {
    const { ask } = message;
    try {
      this.#post({ kind: 'answer', ask, value: await this.#valueOf(message) });
    } catch (error) {
      if (!(error instanceof AppError)) this.#parts.onFault(error);
      this.#post({ kind: 'refused', ask, message: error instanceof AppError ? error.message : 'That failed.' });
    }
  }

  async #valueOf(message: Ask): Promise<unknown> {
    const run = this.#runOf(message.result);
    const { client } = run;
    const { root } = run.runnable;
    const options = { timeoutMs: ASK_LIMIT_MS };
    switch (message.kind) {
      case 'rows': {
        const { kind: _kind, ask: _ask, ...params } = message;
        return client.call(readRows, params, options);
      }
      case 'cell': {
        const { kind: _kind, ask: _ask, ...params } = message;
        return client.call(readCell, params, options);
      }
      case 'arrange': {
        const { kind: _kind, ask: _ask, ...params } = message;
        return client.call(arrangeRows, params, options);
      }
      case 'filter-table': {
        const { result, filters } = message;
        const filter =
          filters.length === 0
            ? undefined
            : { filters, ...(await client.call(tableCondition, { result, root, filters }, options)) };
        this.#actions?.readTable?.({ ...readingOf(run.runnable), filter }).catch(this.#parts.onFault);
        return {};
      }
      case 'copy': {
        const { kind: _kind, ask: _ask, ...params } = message;
        const { text, rows, isCut } = await client.call(copyRows, params, options);
        await vscode.env.clipboard.writeText(text);
        return { rows, isCut };
      }
      case 'table':
        return client.call(resultTable, { result: run.id, root }, options);
      case 'preview':
        return client.call(previewChanges, { result: run.id, changes: message.changes }, options);
      case 'apply': {
        const params = { result: run.id, root, changes: message.changes };
        const outcome = await client.call(applyChanges, params, { timeoutMs: RUN_LIMIT_MS });
        if (outcome.conflicts.length === 0) this.#runAfter(run, outcome);
        return outcome;
      }
      case 'related': {
        const { row, column, which } = message;
        const { query, connection } = await client.call(relatedRows, { result: run.id, row, column, which }, options);
        this.#start(new PersonRun(client, { root, connection, query }, (isMoreRows) => this.#tellSoon(isMoreRows)));
        return {};
      }
    }
  }

  /** Runs a statement once more, whose rows were edited: the new result takes the old one's place. */
  #runAfter(run: PersonRun, { applied, connection }: ResultOf<typeof applyChanges>): void {
    this.#unapplied.delete(run.id);
    const note = applied === 1 ? '1 change applied' : `${applied} changes applied`;
    const successor = { replaces: run.id, note };
    const runnable = { ...run.runnable, connection, keep: false };
    this.#start(new PersonRun(run.client, runnable, (isMoreRows) => this.#tellSoon(isMoreRows), successor), run);
  }

  /** Shows one more result, in the place of another or after all of them. */
  #start(run: PersonRun, inPlaceOf?: PersonRun): void {
    const others = this.#runs.map((one) => (one === inPlaceOf ? run : one));
    this.#runs = inPlaceOf === undefined ? [...this.#runs, run] : others;
    inPlaceOf?.close().catch(this.#parts.onFault);
    run.run().catch(this.#parts.onFault);
  }

  #runOf(id: string): PersonRun {
    const run = this.#runs.find((one) => one.id === id);
    if (run === undefined) throw new AppError('E_INVALID_REFERENCE', 'This result was replaced by a newer one.');
    return run;
  }

  /** The first rows are shown at once; more of them can wait, and wait longer while their user is elsewhere. */
  #tellSoon(isMoreRows: boolean): void {
    if (this.#isClosed) return;
    const moreRowsMs = this.#panel.active ? MORE_ROWS_MS : MORE_ROWS_ELSEWHERE_MS;
    this.#news.within(isMoreRows ? moreRowsMs : 0);
  }

  #tell(): void {
    if (!this.#isReady) return;
    this.#post({ kind: 'results', results: this.#runs.map(({ shown }) => shown) });
    for (const run of this.#runs) {
      const rows = run.takeFirst();
      if (rows !== undefined) this.#post({ kind: 'first-rows', result: run.id, rows });
    }
  }

  #post(message: ToPage): void {
    if (!this.#isClosed) void this.#panel.webview.postMessage(message);
  }

  #drop(): void {
    this.#unapplied.clear();
    for (const run of this.#runs) run.close().catch(this.#parts.onFault);
    this.#runs = [];
  }

  #closed(): void {
    this.#isClosed = true;
    this.#news.end();
    for (const run of this.#runs) run.cancel();
    const canApply = this.#runs.some(({ client }) => !client.closed);
    if (this.#isEnding || !canApply || this.#unapplied.count === 0) this.#leave();
    else this.#offer().catch(this.#parts.onFault);
  }

  /** The editor closes a tab without asking: the results stay until the user has said what is to become of the changes. */
  async #offer(): Promise<void> {
    const round = this.#round;
    const isWanted = await this.#unapplied.areWanted();
    // Meanwhile the statements may have been run again, or the window has ended.
    if (!this.#isClosed || this.#isEnding || this.#round !== round) return;
    if (isWanted) this.#panel = this.#open();
    else this.#leave();
  }

  #leave(): void {
    this.#drop();
    this.#parts.onClosed();
  }
}

/** Which of several statements failed, and why. */
export interface Failure {
  readonly at: number;
  readonly error: AppError;
}

/** How the database has read the table of a result. */
function readingOf({ table }: Runnable): TableReading {
  return { order: table?.order, filter: table?.filter };
}

/** An order of a result's rows as one of the table; undefined where it names no column. */
function orderOf(sort: RowSort | undefined, { columns }: ShownResult): TableOrder | undefined {
  const column = sort && columns[sort.column]?.name;
  return column === undefined ? undefined : { column, descending: sort?.descending === true };
}
