/** What is known of a statement without its dialect. */
export interface SqlOutline {
  /** Names of placeholders outside strings, quoted names and comments. */
  readonly placeholders: ReadonlySet<string>;
  /** There is text after a semicolon. */
  readonly several: boolean;
  /** False when dialects may read the text differently; then nothing counts as a mistake. */
  readonly certain: boolean;
}

// Engines differ on backslashes in strings, # comments and dollar quotes.
const UNCERTAIN = /\\|#|\$\w*\$/;
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|::|(?<![\w\])]):([A-Za-z_]\w*)|;|\S/g;

/** Finds a statement's placeholders `:name`, by the rules common to all dialects. */
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
