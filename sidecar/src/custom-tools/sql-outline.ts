/** What can be seen of a statement without knowing its dialect. */
export interface SqlOutline {
  /** Names of placeholders outside of strings, quoted names and comments. */
  readonly placeholders: ReadonlySet<string>;
  /** Something stands behind a semicolon. */
  readonly several: boolean;
  /** False when the text may read otherwise in one of the dialects; then nothing is a mistake for certain. */
  readonly certain: boolean;
}

// Backslashes in strings, # comments and dollar quotes mean different things to different engines.
const UNCERTAIN = /\\|#|\$\w*\$/;
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|::|(?<![\w\])]):([A-Za-z_]\w*)|;|\S/g;

/** Finds the placeholders `:name` of a statement, by what all dialects have in common. */
export function outlineSql(sql: string): SqlOutline {
  const placeholders = new Set<string>();
  let ended = false;
  let several = false;
  for (const [piece, name] of sql.matchAll(PIECES)) {
    if (piece.startsWith('--') || piece.startsWith('/*')) continue;
    if (piece === ';') ended = true;
    else if (ended) several = true;
    if (name !== undefined) placeholders.add(name);
  }
  return { placeholders, several, certain: !UNCERTAIN.test(sql) };
}
