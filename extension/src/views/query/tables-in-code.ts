import { tableNameAt } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import type { KnownSchemas, Where } from './known-schemas.ts';
import { connectionFor } from './one-connection.ts';
import { sameTable } from './same-table.ts';
import type { NamedTable } from './schema-words.ts';
import { isWholeName, type SqlString, sqlStringAt } from './strings/sql-string.ts';
import { tableUri } from './table-documents.ts';
import { TABLE_COMMANDS, type TableAddress, tableFacts, tableLinks } from './table-facts.ts';

const LOOK_LIMIT_MS = 10_000;
const MOST_CHARS = 256 * 1024;

/** A document whose statements are written for a database. */
export interface Looked {
  readonly client: SidecarClient;
  readonly where: Where;
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

interface Found {
  readonly table: NamedTable;
  readonly range: vscode.Range;
  readonly address: TableAddress;
}

/**
 * The tables that are named in .sql files and in the strings of programs, where there is no doubt: the string is a
 * statement to the engine, a table stands at that place of it, and the database has it.
 */
export class TablesInCode {
  readonly #schemas: Pick<KnownSchemas, 'seen'>;

  constructor(schemas: Pick<KnownSchemas, 'seen'>) {
    this.#schemas = schemas;
  }

  /** What is known of the table, with links to its data and its definition. */
  async hover(looked: Looked): Promise<vscode.Hover | undefined> {
    const found = await this.#at(looked);
    if (found === undefined) return undefined;
    const text = new vscode.MarkdownString().appendCodeblock(tableFacts(found.table), 'sql');
    text.appendMarkdown(tableLinks(found.address));
    text.isTrusted = { enabledCommands: [...TABLE_COMMANDS] };
    return new vscode.Hover(text, found.range);
  }

  /** The statement that makes the table. */
  async definition(looked: Looked): Promise<vscode.LocationLink[] | undefined> {
    const found = await this.#at(looked);
    if (found === undefined) return undefined;
    const start = new vscode.Range(0, 0, 0, 0);
    return [{ originSelectionRange: found.range, targetUri: tableUri(found.address), targetRange: start }];
  }

  async #at({ client, where, document, position }: Looked): Promise<Found | undefined> {
    const sql = sqlAt(document, position);
    if (sql === undefined) return undefined;
    const { connection: database } = await connectionFor(client, where);
    if (database?.trusted !== true) return undefined;
    const { root } = where;
    const tables = await this.#schemas.seen(client, { root, connection: database.id });
    const word = wordAt(document, position);
    // Most words are no table's name: the sidecar is not asked about them.
    if (!tables.some(({ name }) => name.toLowerCase().includes(word))) return undefined;
    const offset = document.offsetAt(position) - sql.start;
    const asked = { root, connection: database.id, text: sql.text, offset };
    const { name } = await client.call(tableNameAt, asked, { timeoutMs: LOOK_LIMIT_MS });
    const table = name && isWholeName(sql, name) ? sameTable(tables, name.path) : undefined;
    if (name === undefined || table === undefined) return undefined;
    const [start, end] = [sql.start + name.start, sql.start + name.end];
    return {
      table,
      range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
      address: { root, connection: database.id, table: table.name },
    };
  }
}

function sqlAt(document: vscode.TextDocument, position: vscode.Position): SqlString | undefined {
  const text = document.getText();
  if (document.languageId !== 'sql') return sqlStringAt(document.languageId, text, document.offsetAt(position));
  return text.length > MOST_CHARS ? undefined : { start: 0, text, goesOn: false };
}

/** In lower case; empty where there is no word, which every name includes. */
function wordAt(document: vscode.TextDocument, position: vscode.Position): string {
  const range = document.getWordRangeAtPosition(position, /[\p{L}\p{N}_]+/u);
  return range === undefined ? '' : document.getText(range).toLowerCase();
}
