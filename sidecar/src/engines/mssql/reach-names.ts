import { isOperator } from '../operators.ts';
import { stands } from './judge.ts';
import { isName, type Token } from './tokenize.ts';

/** A name of up to three parts, and where to look for it. */
export interface NameChain {
  /** The database of the module that uses the name; empty for the connection's own. */
  readonly database: string;
  /** Schemas in which an unqualified name is looked for, besides the user's own. */
  readonly schemas: readonly string[];
  readonly parts: readonly string[];
  /** A table or call in a module: the server finds it even if this login may not see it. */
  readonly mustExist: boolean;
}

export interface Home {
  readonly database: string;
  readonly schemas: readonly string[];
  /** Whether the text is a definition, whose names are resolved with its owner's rights. */
  readonly isModule: boolean;
}

/** Words that cannot be unquoted names. */
const RESERVED: ReadonlySet<string> = new Set(
  `ALL AND ANY AS ASC BETWEEN BY CASE CREATE CROSS DESC DISTINCT ELSE END EXISTS FROM FULL FUNCTION GROUP HAVING IN INNER INTO IS
   JOIN LEFT LIKE NOT NULL ON OR ORDER OUTER OVER PRIMARY RETURN RIGHT SELECT SET THEN TOP UNION VALUES VIEW WHEN WHERE WITH`.split(
    /\s+/,
  ),
);
/** Methods of values (XML, spatial types, hierarchies), written like function calls. */
const METHODS = /^(?:value|query|nodes|exist|modify|ST[A-Z]\w*|ToString|Get\w+|IsDescendantOf|Lat|Long)$/;
const SYSTEM_SCHEMAS = /^(?:sys|INFORMATION_SCHEMA)$/i;
const MOST_PARTS = 3;

/** Every name in a text. Only the server knows which of them are objects. */
export function namesIn(tokens: readonly Token[], { database, schemas, isModule }: Home): NameChain[] {
  const names: NameChain[] = [];
  const qualifiers = lastParts(tokens);
  for (let at = 0; at < tokens.length; at += 1) {
    if (!isName(tokens[at]) || isOperator(tokens[at - 1], '.')) continue;
    const { parts, end } = chainAt(tokens, at);
    const isCall = isOperator(tokens[end], '(');
    // A fully qualified column has one part more than its table.
    const kept = parts.slice(0, MOST_PARTS);
    if (parts.length === 1 && RESERVED.has(parts[0]?.toUpperCase() ?? '') && tokens[at]?.kind === 'word') continue;
    if (SYSTEM_SCHEMAS.test(kept.at(-2) ?? '')) continue;
    // After a comma comes a table, or a column whose first part is a table's name or alias.
    const isColumn = isOperator(tokens[at - 1], ',') && qualifiers.has(parts[0]?.toLowerCase() ?? '');
    const isObject = (stands(tokens, at) && !isColumn) || (isCall && !METHODS.test(kept.at(-1) ?? ''));
    const mustExist = isModule && kept.length > 1 && isObject && at > 0 && !isDeclared(tokens, at);
    names.push({ database, schemas, parts: kept, mustExist });
  }
  return names;
}

/** Includes the names and aliases of tables. */
function lastParts(tokens: readonly Token[]): ReadonlySet<string> {
  const last = tokens.filter((token, at) => isName(token) && !isOperator(tokens[at + 1], '.'));
  return new Set(last.map(({ value }) => value.toLowerCase()));
}

const SYSTEM_TYPES = /^(?:geometry|geography|hierarchyid)$/i;

/** A static call of a user-defined type: `dbo.Point::Parse('1,2')`. */
export function callsClrType(tokens: readonly Token[]): boolean {
  return tokens.some((token, at) => isOperator(token, '::') && !SYSTEM_TYPES.test(tokens[at - 1]?.value ?? ''));
}

/** The module's own name, after CREATE VIEW and the like. */
function isDeclared(tokens: readonly Token[], at: number): boolean {
  const words = tokens.slice(Math.max(0, at - 4), at).map(({ text }) => text.toUpperCase());
  return words.includes('CREATE') || words.includes('ALTER');
}

function chainAt(tokens: readonly Token[], from: number): { readonly parts: string[]; readonly end: number } {
  const parts = [tokens[from]?.value ?? ''];
  let at = from + 1;
  while (isOperator(tokens[at], '.')) {
    const next = tokens[at + 1];
    const isPart = isName(next);
    parts.push(isPart ? next.value : '');
    at += isPart ? 2 : 1;
  }
  return { parts, end: at };
}
