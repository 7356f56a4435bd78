import type { DriverValue } from '../values.ts';
import { askOn } from './ask.ts';
import { text } from './catalog.ts';
import type { ServerConnection } from './connection.ts';
import { failureOf, isAboutStatement } from './errors.ts';
import { quoteName } from './quote.ts';
import type { NameChain } from './reach-names.ts';

/** An object behind a name, and the code the server runs when it is read. */
export interface ReachedObject {
  readonly database: string;
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** As in sys.objects: U, V, FN, SN, ... */
  readonly type: string;
  readonly isShipped: boolean;
  readonly isExternal: boolean;
  readonly hasClrColumn: boolean;
  /** Undefined where the server does not show it. */
  readonly definitions: readonly (string | undefined)[];
}

export interface Found {
  readonly objects: readonly ReachedObject[];
  /** Names that refer to something. */
  readonly known: ReadonlySet<NameChain>;
  /** The first name that belongs to a CLR type. */
  readonly clrType: NameChain | undefined;
}

type Row = readonly DriverValue[];

/** The objects behind names of one database. */
export async function lookUp(
  connection: ServerConnection,
  names: readonly NameChain[],
  isMicrosoft: boolean,
): Promise<Found> {
  const databases = await openDatabases(connection, names);
  const batches = new Map<string, NameChain[]>();
  for (const name of names) {
    const database = databaseOf(name);
    if (name.parts.length === 3 && !databases.has(database)) continue;
    batches.set(database, [...(batches.get(database) ?? []), name]);
  }
  const objects: ReachedObject[] = [];
  const known = new Set<NameChain>();
  let clrType: NameChain | undefined;
  for (const [database, some] of batches) {
    const results = await ask(connection, database, some, isMicrosoft);
    for (const [at] of results[0] ?? []) {
      const name = some[Number(at)];
      if (name !== undefined) known.add(name);
    }
    objects.push(...objectsOf(database, results));
    const types = new Set((results[3] ?? []).map(([type]) => text(type).toLowerCase()));
    clrType ??= some.find(({ parts }) => types.has(parts.at(-1)?.toLowerCase() ?? ''));
  }
  return { objects, known, clrType };
}

/** A three-part name contains its own database. */
function databaseOf({ database, parts }: NameChain): string {
  return parts.length === 3 ? (parts[0] ?? '') : database;
}

/** The first of three parts may also be a schema, and the last a column: only the server knows its databases. */
async function openDatabases(connection: ServerConnection, names: readonly NameChain[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(names.filter(({ parts }) => parts.length === 3).map(({ parts }) => parts[0] ?? ''))];
  if (asked.length === 0) return new Set();
  const values = Object.fromEntries(asked.map((name, index) => [`d${index}`, name]));
  const rows = asked.map((_, index) => `(${index}, HAS_DBACCESS(@d${index}))`);
  const question = `SELECT v.place FROM (VALUES ${rows.join(', ')}) AS v (place, allowed) WHERE v.allowed = 1`;
  const [found = []] = await askOn(connection, question, values);
  return new Set(found.map(([at]) => asked[Number(at)] ?? ''));
}

async function ask(
  connection: ServerConnection,
  database: string,
  names: readonly NameChain[],
  isMicrosoft: boolean,
): Promise<readonly (readonly Row[])[]> {
  const place = database === '' ? '' : `${quoteName(database)}.`;
  const all = names.flatMap((name, at) => candidates(name).map((candidate) => ({ at, name: `${place}${candidate}` })));
  const values = Object.fromEntries(all.map(({ name }, index) => [`n${index}`, name]));
  // The server itself resolves each name.
  const rows = all.map(({ at }, index) => `(${at}, OBJECT_ID(@n${index}))`);
  const ids = `DECLARE @names TABLE (place int, id int); INSERT @names VALUES ${rows.join(', ')};`;
  try {
    return await askOn(connection, `${ids} ${wholeQuestion(place)}`, values);
  } catch (error) {
    const isMissing = isAboutStatement(error) && [207, 208].includes(failureOf(error).number ?? 0);
    // A server whose catalogue lacks synonyms and CLR types does not have them; only Microsoft's has all.
    if (isMicrosoft || !isMissing) throw error;
    return askOn(connection, `${ids} ${leastQuestion(place)}`, values);
  }
}

function candidates({ parts, schemas, database }: NameChain): string[] {
  const own = parts.length === 3 ? parts.slice(1) : parts;
  const [first = '', second] = own;
  if (second !== undefined) return [`${first === '' ? '' : quoteName(first)}.${quoteName(second)}`];
  const all = [...schemas, 'dbo'].map((schema) => `${quoteName(schema)}.${quoteName(first)}`);
  // Without a schema the user's own comes first; that of another database is unknown here.
  return [...new Set([...(database === '' ? [quoteName(first)] : []), ...all])];
}

const IDS = '(SELECT id FROM @names)';

function wholeQuestion(place: string): string {
  return `
SELECT n.place, o.object_id, s.name, o.name, RTRIM(o.type), o.is_ms_shipped, m.definition, y.base_object_name, t.is_external
  FROM @names n JOIN ${place}sys.objects o ON o.object_id = n.id JOIN ${place}sys.schemas s ON s.schema_id = o.schema_id
  LEFT JOIN ${place}sys.sql_modules m ON m.object_id = o.object_id
  LEFT JOIN ${place}sys.synonyms y ON y.object_id = o.object_id
  LEFT JOIN ${place}sys.tables t ON t.object_id = o.object_id;
SELECT object_id, definition FROM ${place}sys.computed_columns WHERE object_id IN ${IDS}
UNION ALL SELECT parent_object_id, definition FROM ${place}sys.check_constraints WHERE parent_object_id IN ${IDS}
UNION ALL SELECT parent_object_id, definition FROM ${place}sys.default_constraints WHERE parent_object_id IN ${IDS} AND definition NOT LIKE N'%NEXT VALUE FOR%'
UNION ALL SELECT target_object_id, predicate_definition FROM ${place}sys.security_predicates WHERE target_object_id IN ${IDS};
SELECT c.object_id FROM ${place}sys.columns c JOIN ${place}sys.types y ON y.user_type_id = c.user_type_id
 WHERE y.is_assembly_type = 1 AND y.is_user_defined = 1 AND c.object_id IN ${IDS};
SELECT name FROM ${place}sys.types WHERE is_assembly_type = 1 AND is_user_defined = 1`;
}

function leastQuestion(place: string): string {
  return `
SELECT n.place, o.object_id, s.name, o.name, RTRIM(o.type), o.is_ms_shipped, m.definition, NULL, 0
  FROM @names n JOIN ${place}sys.objects o ON o.object_id = n.id JOIN ${place}sys.schemas s ON s.schema_id = o.schema_id
  LEFT JOIN ${place}sys.sql_modules m ON m.object_id = o.object_id`;
}

const HAS_DEFINITION = new Set(['V', 'FN', 'IF', 'TF']);

function objectsOf(
  database: string,
  [objects = [], more = [], clr = []]: readonly (readonly Row[])[],
): ReachedObject[] {
  return objects.map(([, id, schema, name, type, shipped, definition, base, external]) => ({
    database,
    id: Number(id),
    schema: text(schema),
    name: text(name),
    type: text(type),
    isShipped: isTrue(shipped),
    isExternal: isTrue(external),
    hasClrColumn: clr.some(([table]) => table === id),
    definitions: [
      ...(HAS_DEFINITION.has(text(type)) ? [textOrNone(definition)] : []),
      // A synonym's target is treated like a table that the synonym selects from.
      ...(text(type) === 'SN' ? [base === null ? undefined : `SELECT 1 FROM ${text(base)}`] : []),
      ...more.filter(([table]) => table === id).map(([, part]) => textOrNone(part)),
    ],
  }));
}

function textOrNone(value: DriverValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function isTrue(value: DriverValue | undefined): boolean {
  return value === true || value === 1;
}
