import { nameText, sentenceText } from '@devdb/shared/plain-text';
import type { NamedTable } from './schema-words.ts';

const MOST_COLUMNS = 40;

/** What a person may have done with a table, from its hover: these commands and no other are enabled there. */
export const TABLE_COMMANDS = ['devdb.query.openTable', 'devdb.query.showTable'] as const;

/** A table of a database, for a command or in an address. */
export interface TableAddress {
  readonly root: string;
  readonly connection: string;
  readonly table: string;
}

/** The table and its columns, one to a line. Names come from strangers: each stays in its line. */
export function tableFacts({ name, columns }: NamedTable): string {
  const shown = columns.slice(0, MOST_COLUMNS).map((column) => `  ${sentenceText(column)}`);
  const more = columns.length > MOST_COLUMNS ? [`  ... ${columns.length - MOST_COLUMNS} more`] : [];
  return [nameText(name), ...shown, ...more].join('\n');
}

/** Links of Markdown that run our commands for a table. No character of its names means anything there. */
export function tableLinks(address: TableAddress): string {
  const [open, show] = TABLE_COMMANDS;
  const { root, connection, table } = address;
  const argument = encodeURIComponent(JSON.stringify([{ root, connection, table }])).replace(/[!'()*]/g, escaped);
  return `[Open data](command:${open}?${argument}) | [Show DDL](command:${show}?${argument})`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
