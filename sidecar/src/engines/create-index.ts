/** Shorter than any engine's limit for a name, whatever it counts. */
const MOST_NAME_CHARS = 60;

/** An index to create. Its table may be written with a schema. */
export interface IndexToCreate {
  readonly table: string;
  /** The table as the engine's statements write it. */
  readonly on: string;
  readonly columns: readonly string[];
  /** Columns that it carries without being sorted by them. */
  readonly included?: readonly string[];
}

/** The statement that creates an index, with a name that tells what it is for. */
export function createIndex(
  { table, on, columns, included = [] }: IndexToCreate,
  quoteName: (name: string) => string,
): string {
  const name = [...[table, ...columns].join('_')].slice(0, MOST_NAME_CHARS - '_idx'.length).join('');
  const list = (names: readonly string[]) => `(${names.map(quoteName).join(', ')})`;
  const carried = included.length === 0 ? '' : ` INCLUDE ${list(included)}`;
  return `CREATE INDEX ${quoteName(`${name}_idx`)} ON ${on} ${list(columns)}${carried};`;
}
