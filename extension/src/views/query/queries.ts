import { basename } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { once } from '@devdb/shared/once';
import { sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import * as z from 'zod';
import { forEditor } from '../../editor-text.ts';
import { keepsHistory } from '../../window/settings.ts';
import { readColumn, selectText } from '../databases/schema-text.ts';
import { Plans } from '../plan/plans.ts';
import { type KeptTab, keptTab, type OpenedTable, openedTable } from '../results/kept-tab.ts';
import type { TableReading, TableRows } from '../results/person-run.ts';
import { type LeftTab, type PanelActions, ResultPanel } from '../results/result-panel.ts';
import { ChosenDatabases } from './chosen-databases.ts';
import { errorPlace } from './error-place.ts';
import { KnownSchemas } from './known-schemas.ts';
import { Language } from './language.ts';
import { connectionFor } from './one-connection.ts';
import type { QueryParts } from './register.ts';
import { type Place, SqlFiles, spansOf } from './sql-files.ts';
import { type Span, statementAt } from './statement-choice.ts';
import { addressSchema, tableUri } from './table-documents.ts';

const statementSchema = once(() =>
  z.object({ root: z.string(), connection: z.string().optional(), query: z.string() }),
);

/** A statement that is in no file, and where it runs. */
interface Alone {
  readonly root: string;
  readonly connection: string | undefined;
  readonly query: string;
  /** It reads the first rows of a table. */
  readonly table?: TableRows;
}

/** What else can be done with a statement that reads a table. */
type OfTable = Pick<PanelActions, 'readTable' | 'table'>;

/** More than anybody looks through, and soon there; the statement can be changed. */
const OPENED_ROWS = 10_000;
const MOST_TITLE_CHARS = 40;

/** Runs the statements of .sql files and shows their results, one panel for each file. */
export class Queries {
  readonly #parts: QueryParts;
  readonly #files: SqlFiles;
  readonly #chosen: ChosenDatabases;
  readonly #panels = new Map<string, ResultPanel>();
  readonly #problems = vscode.languages.createDiagnosticCollection('devdb');
  readonly #closing: vscode.Disposable;
  readonly #schemas: KnownSchemas;
  readonly #plans: Plans;
  /** What it gives the editor for texts. */
  readonly language: Language;

  constructor(parts: QueryParts) {
    this.#parts = parts;
    this.#chosen = new ChosenDatabases(parts.memory);
    this.#files = new SqlFiles(parts, this.#chosen);
    this.#schemas = new KnownSchemas(parts.onFault);
    this.language = new Language(parts, this.#files, this.#schemas);
    this.#plans = new Plans({ ...parts, mayKeep: keepsHistory, open: (statement) => this.openStatement(statement) });
    this.#closing = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#problems.delete(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#files.closed(uri)),
    );
  }

  /** Opens an empty .sql file. */
  async open(): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'sql' });
    await vscode.window.showTextDocument(document);
  }

  /** Runs a statement that is in no file, on this database; its result has a tab of its own. */
  async openData(given: unknown): Promise<void> {
    const { root, connection, query } = statementSchema().parse(given);
    const key = JSON.stringify([root, connection, query]);
    const panel = this.#panelOf({ key, title: shortTitle(query), source: 'statement' });
    await this.#runAlone(panel, { root, connection, query });
  }

  /** Shows the first rows of a table; a person can have the database sort and filter all of it. */
  async openRows(given: unknown): Promise<void> {
    const opened = openedTable().parse(given);
    const { root, connection, table } = opened;
    const key = JSON.stringify([root, connection, 'table', table]);
    await this.#runTable(this.#panelOf({ key, title: table, source: 'table' }), opened);
  }

  /** Takes over a tab that was there before the window was reloaded; one of which nothing is known is closed. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptTab().safeParse(state);
    if (!kept.success || this.#panels.has(kept.data.key)) {
      panel.dispose();
      return;
    }
    const { key, title, source, statements, table } = kept.data;
    const restored = this.#panelOf({ key, title, source }, { panel, tab: kept.data });
    const [first] = statements;
    const alone = first && { ...first, connection: first.connection };
    if (table !== undefined) restored.offer({ runAgain: () => this.#runTable(restored, table) });
    else if (source === 'statement' && alone !== undefined) this.#offerAlone(restored, alone);
    else restored.offer({ runAgain: () => this.#runKept(restored, statements) });
  }

  /** The same for a tab with a plan. */
  restorePlan(panel: vscode.WebviewPanel, state: unknown): void {
    this.#plans.restore(panel, state);
  }

  /** Statements of a file, which may have changed since they were run. */
  async #runKept(panel: ResultPanel, statements: KeptTab['statements']): Promise<void> {
    const client = await this.#parts.client(this.#parts.signal);
    const keep = keepsHistory();
    const runnables = statements.map(({ root, connection, query }) => ({ root, connection, query, keep }));
    await panel.run(client, runnables);
    this.#parts.onRan();
  }

  async #runTable(panel: ResultPanel, opened: OpenedTable): Promise<void> {
    const { root, connection, table, columns, kind } = opened;
    const names = columns.map((name) => ({ name }));
    const run = (reading: TableReading): Promise<void> => {
      const { order, filter } = reading;
      const mostRows = OPENED_ROWS;
      const query = selectText(table, names, kind, { mostRows, order, condition: filter?.condition });
      const read = { root, connection, query, table: { mostRows, ...reading } };
      return this.#runAlone(panel, read, { readTable: run, table: opened });
    };
    await run({});
  }

  /** Opens a statement with its database chosen, and runs nothing. */
  async openStatement(given: unknown): Promise<void> {
    const { root, connection, query } = statementSchema().parse(given);
    const content = query.trimEnd().endsWith(';') ? query : `${query};\n`;
    const made = { language: 'sql', ...(query === '' ? {} : { content }) };
    const document = await vscode.workspace.openTextDocument(made);
    this.#files.opened(document.uri, root);
    if (connection !== undefined) await this.#chosen.remember(document.uri, connection);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Shows the plan of what is selected, else of the statement at the cursor; a lens says which one. */
  async explain(uri: unknown, place: unknown): Promise<void> {
    const at = await this.#files.place(uri);
    const { root, connection, document } = at;
    const [span] = await this.#spansAt(at, place);
    if (span === undefined) throw new AppError('E_NO_SELECTION', 'There is no statement to explain.');
    const query = document.getText().slice(span.start, span.end);
    const name = basename(document.uri.path);
    await this.#plans.show(document.uri.toString(), name, { root, connection, query });
  }

  /** Shows the plan of a statement that is in no file. */
  async explainStatement(given: unknown): Promise<void> {
    const { root, connection, query } = statementSchema().parse(given);
    await this.#plans.show('activity', 'Activity', { root, connection, query });
  }

  /** Runs what is selected, else the statement at the cursor; a lens says which one. */
  async run(uri: unknown, place: unknown): Promise<void> {
    const at = await this.#files.place(uri);
    await this.#runAll(at, await this.#spansAt(at, place));
  }

  /** Opens the first rows of a table. */
  async openTable(given: unknown): Promise<void> {
    const { root, connection, table } = addressSchema().parse(given);
    const { client } = this.#parts;
    const where = { root, connection };
    const running = await client(this.#parts.signal);
    const { connection: database } = await connectionFor(running, where);
    if (database === undefined) throw new AppError('E_NO_CONNECTION', 'The database of this table is no longer there.');
    const known = (await this.#schemas.tables(running, where)).find(({ name }) => name === table);
    const columns = (known?.columns ?? []).map((text) => readColumn(text).name);
    await this.openRows({ root, connection: database.id, table, columns, kind: database.type });
  }

  /** Shows the statement that makes a table. */
  async showTable(given: unknown): Promise<void> {
    const document = await vscode.workspace.openTextDocument(tableUri(addressSchema().parse(given)));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** The selected statements, else the one at this place or the cursor. */
  async #spansAt(at: Place, place: unknown): Promise<readonly Span[]> {
    const { document } = at;
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    const offset =
      typeof place === 'number' ? place : document.offsetAt(editor?.selection.active ?? new vscode.Position(0, 0));
    const selected = editor === undefined || typeof place === 'number' ? undefined : editor.selection;
    if (selected !== undefined && !selected.isEmpty) {
      const start = document.offsetAt(selected.start);
      const spans = await spansOf(at, document.getText(selected));
      return spans.map((span) => ({ start: start + span.start, end: start + span.end }));
    }
    const found = statementAt(await spansOf(at, document.getText()), offset);
    return found === undefined ? [] : [found];
  }

  /** Runs every statement of the file, one after the other. */
  async runAll(uri: unknown): Promise<void> {
    const at = await this.#files.place(uri);
    await this.#runAll(at, await spansOf(at, at.document.getText()));
  }

  /** Lets the user choose the file's database. */
  async choose(uri: unknown): Promise<void> {
    const { client, root, document } = await this.#files.place(uri);
    if (await this.#chosen.choose(client, root, document.uri)) this.language.changed();
  }

  end(): void {
    this.#closing.dispose();
    this.#problems.dispose();
    for (const panel of [...this.#panels.values()]) panel.close();
    this.#plans.end();
  }

  #offerAlone(panel: ResultPanel, alone: Alone, more: OfTable = {}): void {
    panel.offer({
      runAgain: () => this.#runAlone(panel, alone, more),
      openStatement: () => this.openStatement(alone),
      ...more,
    });
  }

  async #runAlone(panel: ResultPanel, alone: Alone, more: OfTable = {}): Promise<void> {
    const client = await this.#parts.client(this.#parts.signal);
    this.#offerAlone(panel, alone, more);
    const failure = await panel.run(client, [{ ...alone, keep: keepsHistory() }]);
    this.#parts.onRan();
    if (failure === undefined) this.#schemas.ran(alone);
  }

  async #runAll(at: Place, spans: readonly Span[]): Promise<void> {
    if (spans.length === 0) throw new AppError('E_NO_SELECTION', 'There is no statement to run.');
    await this.#runOf(at, spans, at.document.getText());
  }

  /** Runs statements of a text, which the file may no longer have when they are run again. */
  async #runOf(at: Place, spans: readonly Span[], text: string): Promise<void> {
    const { client, root, connection, document } = at;
    this.#problems.delete(document.uri);
    const keep = keepsHistory();
    const runnables = spans.map(({ start, end }) => ({ root, connection, query: text.slice(start, end), keep }));
    const runAgain = async () => {
      const again = await this.#parts.client(this.#parts.signal);
      const chosen = this.#files.where(document)?.connection;
      await this.#runOf({ ...at, client: again, connection: chosen }, spans, text);
    };
    const panel = this.#panelOf({ key: document.uri.toString(), title: basename(document.uri.path), source: 'file' });
    panel.offer({ runAgain });
    const failure = await panel.run(client, runnables);
    this.#parts.onRan();
    if (failure?.at !== 0) this.#schemas.ran({ root, connection });
    const span = failure && spans[failure.at];
    if (failure === undefined || span === undefined || failure.error.code === 'E_CANCELLED') return;
    if (document.getText() === text) this.#tellProblem(document, errorPlace(text, span, failure.error), failure.error);
  }

  #tellProblem(document: vscode.TextDocument, { start, end }: Span, { message, code }: AppError): void {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const problem = new vscode.Diagnostic(range, forEditor(sentenceText(message)));
    problem.source = 'DevDB';
    problem.code = code;
    this.#problems.set(document.uri, [problem]);
  }

  #panelOf(tab: Pick<KeptTab, 'key' | 'title' | 'source'>, left?: LeftTab): ResultPanel {
    const { key } = tab;
    const known = this.#panels.get(key);
    if (known !== undefined) return known;
    const { extensionUri, onFault } = this.#parts;
    const onClosed = () => this.#panels.delete(key);
    const panel = new ResultPanel({ ...tab, extensionUri, mayKeep: keepsHistory, onFault, onClosed }, left);
    this.#panels.set(key, panel);
    return panel;
  }
}

function shortTitle(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= MOST_TITLE_CHARS ? line : `${line.slice(0, MOST_TITLE_CHARS - 1)}…`;
}
