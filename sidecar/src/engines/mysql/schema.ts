import { AppError } from '@devdb/shared/errors';
import { isOperator } from '../operators.ts';
import type { Catalog, TableFacts } from './catalog.ts';
import { quoteName } from './quote.ts';
import { isWord, type Token, tokenize } from './tokenize.ts';

const SHOW = { table: 'TABLE', view: 'VIEW', sequence: 'SEQUENCE' } as const;
const USUAL_MODE = { ansiQuotes: false, backslashEscapes: true } as const;

/**
 * The statements that create a table or view with its triggers, as the server writes them: run on an empty database
 * they create the same. The definer and the next automatic number belong to the old database and are left out.
 */
export async function schemaText(catalog: Catalog, wanted: string): Promise<string> {
  const table = await catalog.find(wanted);
  const made = await createStatement(catalog, table);
  const triggers = table.kind === 'table' ? await triggerStatements(catalog, table) : [];
  return [made, ...triggers].map((statement) => `${statement};`).join('\n\n');
}

async function createStatement(catalog: Catalog, table: TableFacts): Promise<string> {
  const closed = (await catalog.closedViews()).find(
    ({ schema, name }) => schema === table.schema && name === table.name,
  );
  if (closed?.text !== undefined) return `CREATE VIEW ${quoteName(table.name)} AS ${closed.text}`;
  if (closed !== undefined) throw noStatement(table);
  const [row] = await catalog.query(
    `SHOW CREATE ${SHOW[table.kind]} ${quoteName(table.schema)}.${quoteName(table.name)}`,
  );
  const text = row?.['Create Table'] ?? row?.['Create View'];
  if (text === undefined || text === null) throw noStatement(table);
  return withoutOwner(table.kind === 'table' ? withoutNextNumber(text) : text);
}

function noStatement({ shown }: TableFacts): AppError {
  return new AppError('E_SQL', `The server does not show the statement of "${shown}".`, {
    hint: 'get-overview lists its columns; the privilege SHOW VIEW shows the statements of views.',
  });
}

async function triggerStatements(catalog: Catalog, { schema, name }: TableFacts): Promise<string[]> {
  const names = await catalog.ask('TRIGGERS', (query) =>
    query
      .select({ name: 'TRIGGER_NAME' })
      .where({ EVENT_OBJECT_SCHEMA: schema, EVENT_OBJECT_TABLE: name })
      .orderBy(['EVENT_MANIPULATION', 'ACTION_TIMING', 'ACTION_ORDER']),
  );
  const statements: string[] = [];
  for (const trigger of names) {
    const [row] = await catalog.query(`SHOW CREATE TRIGGER ${quoteName(schema)}.${quoteName(trigger['name'] ?? '')}`);
    const text = row?.['SQL Original Statement'];
    if (text !== undefined && text !== null) statements.push(withoutOwner(text));
  }
  return statements;
}

/** Cuts out `DEFINER=user@host`: that user may not exist elsewhere. */
function withoutOwner(text: string): string {
  const tokens = tokensOf(text);
  const at = tokens.findIndex((token, place) => isWord(token, 'DEFINER') && isOperator(tokens[place + 1], '='));
  // A role has no host.
  const end = tokens[at + 3]?.kind === 'variable' ? tokens[at + 3] : tokens[at + 2];
  if (at < 0 || at > MOST_WORDS_BEFORE_OWNER || end === undefined) return text;
  return cut(text, tokens[at], end);
}

/** CREATE OR REPLACE ALGORITHM = UNDEFINED DEFINER = ... */
const MOST_WORDS_BEFORE_OWNER = 6;

function withoutNextNumber(text: string): string {
  const tokens = tokensOf(text);
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (isOperator(token, '(')) depth += 1;
    if (isOperator(token, ')')) depth -= 1;
    const value = tokens[at + 2];
    if (depth === 0 && isWord(token, 'AUTO_INCREMENT') && isOperator(tokens[at + 1], '=') && value?.kind === 'number') {
      return cut(text, token, value);
    }
  }
  return text;
}

function tokensOf(text: string): readonly Token[] {
  const read = tokenize(text, USUAL_MODE);
  return read.ok ? read.tokens : [];
}

/** Without these tokens and the whitespace after them. */
function cut(text: string, from: Token | undefined, to: Token): string {
  return `${text.slice(0, from?.start ?? 0)}${text.slice(to.end).trimStart()}`;
}
