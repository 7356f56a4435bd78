import type { ServerConnection } from './connection.ts';
import { outside } from './judge.ts';
import { readableName } from './quote.ts';
import { lookUp, type ReachedObject } from './reach-catalog.ts';
import { callsClrType, type NameChain, namesIn } from './reach-names.ts';
import { isWord, type Token, tokenize } from './tokenize.ts';

/** A read that reaches more than this server's rows: the user is asked, as for a write. */
export class BeyondReading extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BeyondReading';
  }
}

/** How many names are followed; a statement that reaches more is not judged to the end. */
const MOST_NAMES = 4_000;
const NAMES_PER_QUESTION = 300;
const MOST_SHOWN_CHARS = 64;

/**
 * Why a statement may do more than its text shows: the server is asked what its names are, then what the names in their
 * definitions are, and so on to the end. Views, functions and synonyms can hide other servers, CLR code and extended
 * procedures, none of which a rollback undoes. What cannot be read counts as the worst case.
 */
export async function beyondReading(
  connection: ServerConnection,
  sql: string,
  isMicrosoft: boolean,
): Promise<string | undefined> {
  const tokens = tokensOf(sql) ?? [];
  if (callsClrType(tokens)) return `it ${CLR}`;
  const walk = new Walk();
  walk.add(namesIn(tokens, { database: '', schemas: [], isModule: false }));
  for (let names = walk.next(NAMES_PER_QUESTION); names.length > 0; names = walk.next(NAMES_PER_QUESTION)) {
    const found = await lookUp(connection, names, isMicrosoft);
    if (found.clrType !== undefined) return `${shown(found.clrType.parts)} is a CLR type, and ${CLR}`;
    for (const object of found.objects) {
      const reason = walk.visit(object);
      if (reason !== undefined) return reason;
    }
    const unknown = names.find((name) => name.mustExist && !found.known.has(name));
    if (unknown !== undefined) return `${shown(unknown.parts)} is used by a view or function, and cannot be looked up`;
    if (walk.isTooLong) return 'it reaches too many objects to check them all';
  }
  return undefined;
}

/** The names found so far, each looked up once. */
class Walk {
  readonly #open: NameChain[] = [];
  readonly #seen = new Set<string>();
  readonly #visited = new Set<string>();

  get isTooLong(): boolean {
    return this.#seen.size > MOST_NAMES;
  }

  add(names: readonly NameChain[]): void {
    for (const name of names) {
      const key = JSON.stringify([name.database, name.schemas, name.parts, name.mustExist]);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#open.push(name);
    }
  }

  /** Names of one database, which are looked up together. */
  next(most: number): NameChain[] {
    const database = this.#open[0]?.database;
    const [same, others] = [
      this.#open.filter((name) => name.database === database),
      this.#open.filter((name) => name.database !== database),
    ];
    this.#open.splice(0, this.#open.length, ...same.slice(most), ...others);
    return same.slice(0, most);
  }

  /** Why the object is more than something to read; otherwise its definitions are examined. */
  visit(object: ReachedObject): string | undefined {
    const key = `${object.database}\0${object.id}`;
    if (this.#visited.has(key) || object.isShipped) return undefined;
    this.#visited.add(key);
    return kindReason(object) ?? this.#definitionsReason(object);
  }

  #definitionsReason(object: ReachedObject): string | undefined {
    const name = shown([object.schema, object.name]);
    for (const definition of object.definitions) {
      const tokens = definition === undefined ? undefined : tokensOf(definition);
      if (tokens === undefined) return `the definition of ${name} cannot be read (GRANT VIEW DEFINITION)`;
      const reason = bodyReason(tokens);
      if (reason !== undefined) return `${name} ${reason}`;
      this.add(namesIn(tokens, { database: object.database, schemas: [object.schema, 'dbo'], isModule: true }));
    }
    return undefined;
  }
}

const CLR = 'runs CLR code, which has its own rights';
const KINDS: Readonly<Record<string, string>> = {
  FS: CLR,
  FT: CLR,
  AF: CLR,
  PC: CLR,
  X: 'is an extended procedure',
  P: 'is a procedure',
  ET: 'is a table of another server',
};

function kindReason({ type, schema, name, isExternal, hasClrColumn }: ReachedObject): string | undefined {
  const kind = KINDS[type];
  if (kind !== undefined) return `${shown([schema, name])} ${kind}`;
  if (isExternal) return `${shown([schema, name])} is a table of another server`;
  return hasClrColumn ? `${shown([schema, name])} has a column of a CLR type, and ${CLR}` : undefined;
}

/** A function may call extended procedures by EXEC, and nothing else. */
function bodyReason(tokens: readonly Token[]): string | undefined {
  const calls = tokens.some(
    (token, at) => (isWord(token, 'EXEC') || isWord(token, 'EXECUTE')) && !isWord(tokens[at + 1], 'AS'),
  );
  if (calls) return 'calls a procedure';
  if (callsClrType(tokens)) return CLR;
  if (tokens.some((token, at) => isWord(token, 'NEXT') && isWord(tokens[at + 1], 'VALUE')))
    return 'counts a sequence up';
  return outside(tokens) === undefined ? undefined : 'reaches files, other servers or the network';
}

function tokensOf(sql: string): readonly Token[] | undefined {
  const read = tokenize(sql);
  return read.ok ? read.tokens : undefined;
}

function shown(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== '').map(readableName);
  return words
    .join('.')
    .replaceAll(/[^\x20-\x7e]+/g, '?')
    .slice(0, MOST_SHOWN_CHARS);
}
