import { nameText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { editorText, forEditor } from '../../editor-text.ts';
import { sentenceOf } from '../../window/commands.ts';
import { formatEdits } from './format-edits.ts';
import type { KnownSchemas } from './known-schemas.ts';
import { connectionFor } from './one-connection.ts';
import type { QueryParts } from './register.ts';
import { factsAbout, type NamedTable, wordsFor } from './schema-words.ts';
import { type SqlFiles, spansOf } from './sql-files.ts';
import { tableText } from './table-documents.ts';
import { TABLE_SCHEME } from './table-scheme.ts';
import { type Looked, TablesInCode } from './tables-in-code.ts';

type LanguageParts = Pick<QueryParts, 'client' | 'running' | 'toasts' | 'signal'>;

/** What the editor asks about texts with statements. */
export class Language {
  readonly #parts: LanguageParts;
  readonly #files: SqlFiles;
  readonly #schemas: KnownSchemas;
  readonly #tables: TablesInCode;
  #changed: () => void = () => undefined;

  constructor(parts: LanguageParts, files: SqlFiles, schemas: KnownSchemas) {
    this.#parts = parts;
    this.#files = files;
    this.#schemas = schemas;
    this.#tables = new TablesInCode(schemas);
  }

  /** A file has another database. */
  changed(): void {
    this.#changed();
  }

  /** Above each statement what runs it, and above the first one where. */
  async lenses(document: vscode.TextDocument, changed: () => void): Promise<vscode.CodeLens[]> {
    this.#changed = changed;
    const client = this.#parts.running();
    const where = this.#files.where(document);
    if (client === undefined || where === undefined || document.uri.scheme === TABLE_SCHEME) return [];
    const spans = await spansOf({ client, ...where }, document.getText());
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
    const { connection } = await connectionFor(client, where);
    const title = connection === undefined ? 'Choose database' : editorText`${nameText(connection.name)}`;
    const choose = {
      title: `$(database) ${title}`,
      tooltip: 'Choose the database of this file',
      command: 'devdb.chooseDatabase',
      arguments: [document.uri],
    };
    const extra = spans.length > 1 ? [all, choose] : [choose];
    return [...lenses, ...extra.map((command) => new vscode.CodeLens(first.range, command))];
  }

  /** Tables and columns, once something has run on the file's database. */
  async completions(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionItem[]> {
    const before = document.lineAt(position.line).text.slice(0, position.character);
    const words = wordsFor(await this.#known(document), before, document.getText());
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
    const looked = this.#looked(document, position);
    const table = looked && (await this.#tables.hover(looked));
    if (table !== undefined || document.languageId !== 'sql') return table;
    const range = document.getWordRangeAtPosition(position);
    const facts = range && factsAbout(await this.#known(document), document.getText(range));
    if (facts === undefined) return undefined;
    return new vscode.Hover(new vscode.MarkdownString().appendCodeblock(facts, 'sql'), range);
  }

  /** Where the table that is named at a place is made. */
  async definition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const looked = this.#looked(document, position);
    return looked && this.#tables.definition(looked);
  }

  /** The document of a table, which says in words what went wrong. */
  async tableText(uri: vscode.Uri): Promise<string> {
    try {
      return await tableText(await this.#parts.client(this.#parts.signal), uri);
    } catch (error) {
      return `-- ${sentenceOf(error)}\n`;
    }
  }

  /** The statements of a file, or those that a part of it touches, in lines; a text that cannot be read stays. */
  async format(
    document: vscode.TextDocument,
    range: vscode.Range | undefined,
    options: vscode.FormattingOptions,
    signal: AbortSignal,
  ): Promise<vscode.TextEdit[]> {
    try {
      return await formatEdits({ ...(await this.#files.place(document.uri)), range, options }, signal);
    } catch (error) {
      if (!signal.aborted) this.#parts.toasts.tell({ level: 'error', message: sentenceOf(error) });
      return [];
    }
  }

  #looked(document: vscode.TextDocument, position: vscode.Position): Looked | undefined {
    const client = this.#parts.running();
    const where = this.#files.where(document);
    return client && where && { client, where, document, position };
  }

  async #known(document: vscode.TextDocument): Promise<readonly NamedTable[]> {
    const client = this.#parts.running();
    const where = this.#files.where(document);
    return client === undefined || where === undefined ? [] : this.#schemas.tables(client, where);
  }
}
