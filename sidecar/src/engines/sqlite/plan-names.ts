import { isOperator } from '../operators.ts';
import { allTables, type Db, type TableFacts } from './catalog.ts';
import { canBeAlias } from './keywords.ts';
import type { PlanNames } from './plan-detail.ts';
import { isName, isWord, type Token, tokenize } from './tokenize.ts';

export interface NamesOfPlan extends PlanNames {
  readonly table: (name: string) => TableFacts | undefined;
}

const SUBQUERY = /^(?:CO-ROUTINE|MATERIALIZE) (.+)$/s;

/** Resolves the names in a statement's plan: the database's tables and indexes, and the statement's aliases. */
export function planNames(db: Db, sql: string, details: readonly string[]): NamesOfPlan {
  const tables = new Map(allTables(db).map((table) => [table.name.toLowerCase(), table]));
  const indexes = indexTables(db);
  // A materialized common table expression hides the table of its name.
  for (const detail of details) tables.delete(SUBQUERY.exec(detail)?.[1]?.toLowerCase() ?? '');
  const aliases = aliasesIn(withViews(db, sql), tables);
  return {
    table: (name) => tables.get(name.toLowerCase()),
    isIndex: (name) => indexes.has(name.toLowerCase()),
    tableOf: (named, index) => {
      const owner = index === undefined ? undefined : indexes.get(index.toLowerCase());
      if (owner !== undefined) return owner;
      const plain = named.toLowerCase();
      return aliases.get(plain) ?? tables.get(plain)?.name ?? tables.get(plain.replace(/^main\./, ''))?.name;
    },
  };
}

function indexTables(db: Db): Map<string, string> {
  const rows = db
    .prepare<[], { name: string; owner: string }>(
      `SELECT name, tbl_name AS owner FROM main.sqlite_schema WHERE type = 'index'`,
    )
    .all();
  return new Map(rows.map(({ name, owner }) => [name.toLowerCase(), owner]));
}

/** A statement and the views it reads, directly or through others: their aliases are in the plan too. */
function withViews(db: Db, sql: string): string[] {
  const rows = db
    .prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM main.sqlite_schema WHERE type = 'view'`)
    .all();
  const unread = new Map(rows.map((view) => [view.name.toLowerCase(), view.sql]));
  // The list grows while it is walked: each view found is searched for further ones.
  const texts = [sql];
  for (const text of texts) {
    for (const token of tokensOf(text)) {
      const name = token.value.toLowerCase();
      const view = isName(token) ? unread.get(name) : undefined;
      if (view === undefined) continue;
      unread.delete(name);
      texts.push(view);
    }
  }
  return texts;
}

function tokensOf(sql: string): readonly Token[] {
  const read = tokenize(sql);
  return read.ok ? read.tokens : [];
}

/** `orders AS o`, `orders o`. An alias used for two different tables is not resolved. */
function aliasesIn(texts: readonly string[], tables: ReadonlyMap<string, TableFacts>): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const tokens of texts.map(tokensOf)) {
    for (const [at, token] of tokens.entries()) {
      const table = isName(token) ? tables.get(token.value.toLowerCase())?.name : undefined;
      const alias = table === undefined || isOperator(tokens[at + 1], '.') ? undefined : aliasAfter(tokens, at);
      if (table === undefined || alias === undefined) continue;
      const key = alias.toLowerCase();
      found.set(key, (found.get(key) ?? new Set()).add(table));
    }
  }
  const single = [...found].filter(([, owners]) => owners.size === 1);
  return new Map(single.flatMap(([alias, owners]) => [...owners].map((owner): [string, string] => [alias, owner])));
}

function aliasAfter(tokens: readonly Token[], at: number): string | undefined {
  // A column may have a table's name: only a name after FROM, JOIN, a comma or UPDATE is a table here.
  const qualified = isOperator(tokens[at - 1], '.');
  const before = tokens[qualified ? at - 3 : at - 1];
  const opens = ['FROM', 'JOIN', 'UPDATE', 'INTO'].some((word) => isWord(before, word));
  if (!opens && !isOperator(before, ',') && !isOperator(before, '(')) return undefined;
  const explicit = isWord(tokens[at + 1], 'AS');
  const alias = tokens[explicit ? at + 2 : at + 1];
  if (!isName(alias)) return undefined;
  return alias.kind !== 'word' || explicit || canBeAlias(alias.text) ? alias.value : undefined;
}
