import { basename } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { once } from '@devdb/shared/once';
import { nameText, sentenceText } from '@devdb/shared/plain-text';
import { splitStatements } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import * as z from 'zod';
import { forEditor } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { keepsHistory } from '../../window/settings.ts';
import { Plans } from '../plan/plans.ts';
import { ResultPanel } from '../results/result-panel.ts';
import { ChosenDatabases } from './chosen-databases.ts';
import { errorPlace } from './error-place.ts';
import { KnownSchemas } from './known-schemas.ts';
import type { QueryParts } from './register.ts';
import { factsAbout, type NamedTable, wordsFor } from './schema-words.ts';
import { type Span, statementAt } from './statement-choice.ts';

const SPLIT_LIMIT_MS = 30_000;

const statementSchema = once(() =>
  z.object({ root: z.string(), connection: z.string().optional(), query: z.string() }),
);

/** A file with statements, and where it is run. */
interface Place {
  readonly client: SidecarClient;
  readonly root: string;
  readonly document: vscode.TextDocument;
}

/** Runs the statements of .sql files and shows their results, one panel for each file. */
export class Queries {
  readonly #parts: QueryParts;
  readonly #chosen: ChosenDatabases;
  readonly #panels = new Map<string, ResultPanel>();
  /** The projects of statements that were opened for one; a file is in its folder's. */
  readonly #roots = new Map<string, string>();
  readonly #problems = vscode.languages.createDiagnosticCollection('devdb');
  readonly #closing: vscode.Disposable;
  readonly #schemas: KnownSchemas;
  readonly #plans: Plans;
  #lensesChanged: () => void = () => undefined;

  constructor(parts: QueryParts) {
    this.#parts = parts;
    this.#chosen = new ChosenDatabases(parts.memory);
    this.#schemas = new KnownSchemas(parts.onFault);
    this.#plans = new Plans({ ...parts, open: (statement) => this.openStatement(statement) });
    this.#closing = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#problems.delete(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#roots.delete(uri.toString())),
    );
  }

  /** Opens an empty .sql file. */
  async open(): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content: '' });
    await vscode.window.showTextDocument(document);
  }

  /** Opens a statement that is run at once, on this database. */
  async openData(given: unknown): Promise<void> {
    await this.run(await this.#open(given), 0);
  }

  /** Opens a statement with its database chosen, and runs nothing. */
  async openStatement(given: unknown): Promise<void> {
    await this.#open(given);
  }

  /** Shows the plan of what is selected, else of the statement at the cursor; a lens says which one. */
  async explain(uri: unknown, place: unknown): Promise<void> {
    const at = await this.#place(uri);
    const { root, document } = at;
    const [span] = await this.#spansAt(at, place);
    if (span === undefined) throw new AppError('E_NO_SELECTION', 'There is no statement to explain.');
    const query = document.getText().slice(span.start, span.end);
    const explained = { root, connection: this.#chosen.of(document.uri), query };
    await this.#plans.show(document.uri.toString(), basename(document.uri.path), explained);
  }

  /** Shows the plan of a statement that is in no file. */
  async explainStatement(given: unknown): Promise<void> {
    const { root, connection, query } = statementSchema().parse(given);
    await this.#plans.show('activity', 'Activity', { root, connection, query });
  }

  /** Runs what is selected, else the statement at the cursor; a lens says which one. */
  async run(uri: unknown, place: unknown): Promise<void> {
    const at = await this.#place(uri);
    await this.#runAll(at, await this.#spansAt(at, place));
  }

  async #open(given: unknown): Promise<vscode.Uri> {
    const { root, connection, query } = statementSchema().parse(given);
    const content = query.trimEnd().endsWith(';') ? `${query}\n` : `${query};\n`;
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
    this.#roots.set(document.uri.toString(), root);
    if (connection !== undefined) await this.#chosen.remember(document.uri, connection);
    await vscode.window.showTextDocument(document, { preview: false });
    return document.uri;
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
      const spans = await this.#spans(at, document.getText(selected));
      return spans.map((span) => ({ start: start + span.start, end: start + span.end }));
    }
    const found = statementAt(await this.#spans(at, document.getText()), offset);
    return found === undefined ? [] : [found];
  }

  /** Runs every statement of the file, one after the other. */
  async runAll(uri: unknown): Promise<void> {
    const at = await this.#place(uri);
    await this.#runAll(at, await this.#spans(at, at.document.getText()));
  }

  /** Lets the user choose the file's database. */
  async choose(uri: unknown): Promise<void> {
    const { client, root, document } = await this.#place(uri);
    if (await this.#chosen.choose(client, root, document.uri)) this.#lensesChanged();
  }

  /** Above each statement what runs it, and above the first one where. */
  async lenses(document: vscode.TextDocument, changed: () => void): Promise<vscode.CodeLens[]> {
    this.#lensesChanged = changed;
    const client = this.#parts.running();
    const root = this.#rootOf(document);
    if (client === undefined || root === undefined) return [];
    const spans = await this.#spans({ client, root, document }, document.getText());
    const lenses = spans.flatMap(({ start, end }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const place = [document.uri, start];
      return [
        new vscode.CodeLens(range, { title: '$(play) Run', command: 'devdb.runStatement', arguments: place }),
        new vscode.CodeLens(range, { title: 'Explain', command: 'devdb.explainStatement', arguments: place }),
      ];
    });
    const [first] = lenses;
    if (first === undefined) return [];
    const all = { title: 'Run all', command: 'devdb.runAllStatements', arguments: [document.uri] };
    const where = { title: '$(database) Choose database', command: 'devdb.chooseDatabase', arguments: [document.uri] };
    const extra = spans.length > 1 ? [all, where] : [where];
    return [...lenses, ...extra.map((command) => new vscode.CodeLens(first.range, command))];
  }

  /** Tables and columns, once something has run on the file's database. */
  async completions(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionItem[]> {
    const before = document.lineAt(position.line).text.slice(0, position.character);
    const words = wordsFor(await this.#tables(document), before, document.getText());
    return words.map(({ kind, text, detail }) => {
      const { Class, Field } = vscode.CompletionItemKind;
      const item = new vscode.CompletionItem(forEditor(nameText(text)), kind === 'table' ? Class : Field);
      item.insertText = text;
      item.detail = forEditor(nameText(detail));
      return item;
    });
  }

  /** What a name in a statement is. */
  async hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const range = document.getWordRangeAtPosition(position);
    const facts = range && factsAbout(await this.#tables(document), document.getText(range));
    if (facts === undefined) return undefined;
    return new vscode.Hover(new vscode.MarkdownString().appendCodeblock(facts, 'sql'), range);
  }

  end(): void {
    this.#closing.dispose();
    this.#problems.dispose();
    for (const panel of [...this.#panels.values()]) panel.close();
    this.#plans.end();
  }

  async #runAll(at: Place, spans: readonly Span[]): Promise<void> {
    if (spans.length === 0) throw new AppError('E_NO_SELECTION', 'There is no statement to run.');
    await this.#runOf(at, spans, at.document.getText());
  }

  /** Runs statements of a text, which the file may no longer have when they are run again. */
  async #runOf({ client, root, document }: Place, spans: readonly Span[], text: string): Promise<void> {
    this.#problems.delete(document.uri);
    const connection = this.#chosen.of(document.uri);
    const keep = keepsHistory();
    const runnables = spans.map(({ start, end }) => ({ root, connection, query: text.slice(start, end), keep }));
    const panel = this.#panelOf(document.uri, async () => {
      const again = await this.#parts.client(this.#parts.signal);
      await this.#runOf({ client: again, root, document }, spans, text);
    });
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

  #panelOf(uri: vscode.Uri, runAgain: () => Promise<void>): ResultPanel {
    const key = uri.toString();
    const panel = this.#panels.get(key) ?? this.#newPanel(uri, key);
    panel.repeatWith(() => runAgain().catch(this.#parts.onFault));
    return panel;
  }

  #newPanel(uri: vscode.Uri, key: string): ResultPanel {
    const { extensionUri, onFault } = this.#parts;
    const panel = new ResultPanel(basename(uri.path), {
      extensionUri,
      onFault,
      onClosed: () => this.#panels.delete(key),
    });
    this.#panels.set(key, panel);
    return panel;
  }

  async #place(uri: unknown): Promise<Place> {
    const given = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    if (given === undefined) throw new AppError('E_NO_ACTIVE_EDITOR', 'Open a .sql file first.');
    const document = await vscode.workspace.openTextDocument(given);
    const client = await this.#parts.client(this.#parts.signal);
    const root = this.#rootOf(document);
    if (root === undefined) throw new AppError('E_PROJECT_NOT_OPEN', 'DevDB serves no project in this window.');
    return { client, root, document };
  }

  async #tables(document: vscode.TextDocument): Promise<readonly NamedTable[]> {
    const client = this.#parts.running();
    const root = this.#rootOf(document);
    if (client === undefined || root === undefined) return [];
    return this.#schemas.tables(client, { root, connection: this.#chosen.of(document.uri) });
  }

  /** The project that a file is in; the window's first for a file of none. */
  #rootOf({ uri }: vscode.TextDocument): string | undefined {
    const opened = this.#roots.get(uri.toString());
    return opened ?? this.#parts.rootOf(vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath);
  }

  async #spans({ client, root, document }: Place, text: string): Promise<readonly Span[]> {
    const connection = this.#chosen.of(document.uri);
    const params = { root, text, ...(connection === undefined ? {} : { connection }) };
    return (await client.call(splitStatements, params, { timeoutMs: SPLIT_LIMIT_MS })).spans;
  }
}
