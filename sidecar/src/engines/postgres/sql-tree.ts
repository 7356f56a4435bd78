import { hasSqlDetails, loadModule, parseSync, scanSync } from 'libpg-query';

/** Postgres' own parse tree of a text, made by the server's grammar. */
export type Parsed =
  | { readonly ok: true; readonly statements: readonly TreeNode[] }
  | { readonly ok: false; readonly problem: string; readonly position: number | undefined };

/** A node has one name, and fields. */
export interface TreeNode {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Word {
  /** Byte offsets in the statement. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What the grammar calls it. */
  readonly tokenName: string;
}

/** The grammar is a WebAssembly module, compiled once before the first statement. */
export function loadGrammar(): Promise<void> {
  return loadModule();
}

/** Parses a text as the server would. Needs the grammar loaded. */
export function parseSql(sql: string): Parsed {
  // The grammar stops at a NUL; the driver does not.
  if (sql.includes('\0')) return { ok: false, problem: 'it holds a NUL character', position: sql.indexOf('\0') + 1 };
  try {
    const { stmts = [] }: { stmts?: readonly { stmt?: unknown }[] } = parseSync(sql);
    return { ok: true, statements: stmts.flatMap(({ stmt }) => nodesIn(stmt)) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problem: 'it is nested too deeply', position: undefined };
    if (!hasSqlDetails(error)) return emptyOrBroken(sql, error);
    const bytes = error.sqlDetails?.cursorPosition ?? -1;
    return { ok: false, problem: error.message, position: bytes < 0 ? undefined : characterPosition(sql, bytes) };
  }
}

/** The grammar has no message for a text without a statement. */
function emptyOrBroken(sql: string, error: unknown): Parsed {
  if (sql.trim() === '') return { ok: true, statements: [] };
  return { ok: false, problem: error instanceof Error ? error.message : 'it cannot be read', position: undefined };
}

/** The words and symbols of a text, without whitespace and comments. */
export function wordsOf(sql: string): readonly Word[] {
  return scanSync(sql).tokens.filter(({ tokenName }) => tokenName !== 'SQL_COMMENT' && tokenName !== 'C_COMMENT');
}

/** The part of a text after this many bytes. */
export function behindByte(sql: string, bytes: number): string {
  return Buffer.from(sql, 'utf8').subarray(bytes).toString('utf8');
}

/** Postgres counts characters from one. */
function characterPosition(sql: string, bytes: number): number {
  return [...Buffer.from(sql, 'utf8').subarray(0, bytes).toString('utf8')].length + 1;
}

/**
 * Every node below a value, and the value itself first. Uses its own stack instead of recursion, since nesting has no
 * limit.
 */
export function* nodesBelow(root: unknown): Generator<TreeNode> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i -= 1) open.push(value[i]);
    } else if (isRecord(value)) {
      const nodes = nodesIn(value);
      if (nodes.length > 0) yield* nodes;
      open.push(...Object.values(value).reverse());
    }
  }
}

/** Every record below a value, with or without a node name. */
export function* recordsBelow(root: unknown): Generator<Readonly<Record<string, unknown>>> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) {
      for (const part of value) open.push(part);
    } else if (isRecord(value)) {
      yield value;
      for (const part of Object.values(value)) open.push(part);
    }
  }
}

/** `{FuncCall: {...}}` is a node; `{relname: 't', ...}` are fields. */
function nodesIn(value: unknown): TreeNode[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, fields]) =>
    /^[A-Z]/.test(name) && isRecord(fields) ? [{ name, fields }] : [],
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names in a list of String nodes: `pg_catalog`, `lower`. */
export function namesIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((node) =>
    nodesIn(node).flatMap(({ name, fields }) =>
      name === 'String' && typeof fields['sval'] === 'string' ? [fields['sval']] : [],
    ),
  );
}
