import type { EngineKind } from '@devdb/shared/engines';
import { readConnectionString } from './ado-net.ts';
import { type Dsn, readDsn } from './dsn.ts';
import { engineKindOf } from './engine-names.ts';
import { hasPlaceholder } from './placeholder.ts';

/** A text in a program's code that names a database. */
export interface NamedInCode {
  readonly line: number;
  /** Undefined where the text is only a part of what the program puts together. */
  readonly dsn: Dsn | undefined;
  /** The text alone does not say that it is a SQLite file. */
  readonly needsDriver: boolean;
  /** The path counts from the folder of the program's own file. */
  readonly beside?: true | undefined;
}

const MAX_LINE = 600;
const COMMENT = /^\s*(\/\/|#(?!\[)|\*|\/\*|--|;)/;
const LITERAL = /"((?:[^"\\]|\\.){0,300})"|'((?:[^'\\]|\\.){0,300})'|`([^`]{0,300})`/g;
/** `default:"data/app.db"` in a tag of Go's structs. */
const TAG = /\b(?:(?:default|envDefault|env-default):"|conf:"default:)([^"]*)"/g;
/** A raw text of Rust; in attributes it may hold code: `default = r#"Url::from("sqlite:app.db")"#`. */
const RAW = /r#"((?:[^"]|"(?!#)){0,300})"#/g;
/** A text inside one of .NET's: `$"Data Source={Path.Combine(folder, "app.db")}"`. */
const INNER = /(\{[^{}"]{1,100})"([^"\\{}]{1,100})"\)?\}/g;
const SQLITE_PATH = /^(?:\.{0,2}\/)?(?:\.?[\w-]+\/)*[\w-]+\.(?:db|db3|sqlite|sqlite3)$/i;
/** What Go's drivers take behind a file's name. */
const PARAMETERS = /\?(?:_?[a-z]\w*=[\w().%=-]*(?:&|$))+$/i;
const SQLITE_URL = /^sqlite3?(?:\+[a-z0-9_]+)?:\S+$/i;
const SERVER_URL = /^[a-z][a-z0-9]*(?:\+[a-z0-9_+]+)?:\/\/\S+$/i;
const MYSQL_DSN = /@(tcp6?|unix)\([^()]*\)\//;
const KEYWORD_DSN = /\bdbname\s*=/;
/** Parts that the program fills in. */
const FILLED = /\$\{|\{|%[sdv]|#\{|\$\w/;
const FOR_TESTS = /(^|[^a-z])tests?([^a-z]|$)|example|:memory:/i;
/** A text is a default behind one of these, or given to what opens a database. */
const DEFAULT = [
  /(?:\|\||\?\?|\?:|\bor)$/,
  /\b(?:default|defaultValue|default_value|fallback|Value) ?[:=(] ?(?:String\.?(?:from)?\(|\w{1,40}::(?:from|new)\()?$/,
  /[sS]etDefault\(["'][\w.-]{1,60}["'],$/,
  /env\w{0,30}(?:\.\w{1,30})?[([]["'][\w.-]{1,60}["'],$/i,
  /\bString(?:Var)?P?\([^()]{0,200},$/,
  /\bunwrap_or(?:_else)?\((?:\|_?\w{0,20}\| ?)?(?:String::from\()?$/,
  /(?<!\w)\w{0,40}(?:db|database|sqlite|dsn|datasource)\w{0,40}["']?(?:: ?[\w.?&']{1,30}| {1,40}string)? {0,40}(?:=|:=|:|=>)$/i,
  /\b(?:[Cc]onnection|[Ff]ile_?[Nn]ame|[Ss]torage|[Ff]ile|[Pp]ath)["']? ?(?::|=>)$/,
  /\b(?:connect|open|Database|DatabaseSync|PDO|SQLite3|SqliteDatabase|UseSqlite|create_engine|create_async_engine|SqliteConnection)\($/i,
  /\bopen\(["']\w{1,30}["'],$/i,
  // A class of the program's own; in Go a context comes first.
  /\bnew \w{0,40}(?:sqlite3?|database|db)\w{0,40}\($/i,
  /\b(?:connect|open|new)\w{0,30}\((?:ctx|context\.\w{1,20}\(\)),$/i,
  // The result of a function in Rust.
  /^\s*Url::parse\($/,
] as const satisfies readonly RegExp[];
/** Behind these a file is one that the program copies, or ships for it. */
const TEMPLATE =
  /(?:\b\w{0,40}(?:template|seed|sample|skeleton|blank|fixture|prebuilt|pristine)\w{0,40}["']?(?:: ?[\w&']{1,30})? ?(?:=|:|:=|=>|\()|\bcopy\w{0,20}\()$/i;
/** Before the name of the engine that a program starts with. */
const TYPED = /\b(?:type|dialect|driver|client|engine|adapter|provider)["']? ?(?:=|:=|:|=>)$/i;
/** Behind these a text is a part of a path. */
const JOINED = /(?:[+.%/]|(?:join|combine)\([^()]{0,200},|format!?\([^()]{0,200})$/i;
/** The folder of the file that the text stands in: `__dirname + '/app.db'`, `path.join(__dirname, 'data', 'app.db')`. */
const BESIDE = /(?:__dirname ?\+|\b(?:join|resolve)\(__dirname,((?: ?(?:"[\w.-]{1,60}"|'[\w.-]{1,60}'),){0,4}))$/;
const BESIDE_TEMPLATE = /^\$\{__dirname\}\//;
const JOINED_AFTER = /^\s*(\+|\.(?!into|to_string|to_owned|as_|parse)|%|\/)/;

const OTHER_ENGINE = /postgres|mysql|mariadb|mssql|sqlserver|sql server/i;

/** Whether a file of program code that knows several engines starts with SQLite. */
export function startsWithSqlite(text: string): boolean {
  const kinds = new Set<EngineKind>();
  for (const { value, before } of text.split('\n').flatMap(literalsIn)) {
    const kind = value.length > 20 ? undefined : engineKindOf(value);
    if (kind !== undefined && (DEFAULT.some((pattern) => pattern.test(before)) || TYPED.test(before))) kinds.add(kind);
  }
  return kinds.size === 0 ? !OTHER_ENGINE.test(text) : kinds.size === 1 && kinds.has('sqlite');
}

/** The databases that a file of program code names by a literal text, as a default or where it opens one. */
export function namedInCode(text: string): NamedInCode[] {
  return text.split('\n').flatMap((line, index) => literalsIn(line).flatMap((literal) => namedBy(literal, index + 1)));
}

/** The database files that a program copies its own from, as it writes their paths. */
export function templatesIn(text: string): readonly { readonly path: string; readonly line: number }[] {
  return text.split('\n').flatMap((line, index) =>
    literalsIn(line)
      .filter(({ value, before }) => SQLITE_PATH.test(value) && TEMPLATE.test(before))
      .map(({ value }) => ({ path: value, line: index + 1 })),
  );
}

interface Literal {
  readonly value: string;
  readonly before: string;
  readonly after: string;
}

function literalsIn(line: string): Literal[] {
  if (line.length > MAX_LINE || COMMENT.test(line)) return [];
  const tags = [...line.matchAll(TAG)].map(([, value = '']) => ({ value, before: 'default:', after: '' }));
  if (tags.length > 0) return tags;
  const code = line.replace(RAW, (_raw, text: string) => (text.includes('"') ? text : `"${text}"`));
  const inner = code.includes('$"')
    ? [...code.matchAll(INNER)].map(([, before = '', value = '']) => ({ value, before: before.trimEnd(), after: ')' }))
    : [];
  const plain = [...code.matchAll(LITERAL)].map((match) => ({
    value: match[1] ?? match[2] ?? match[3] ?? '',
    before: code.slice(0, match.index).trimEnd(),
    after: code.slice(match.index + match[0].length),
  }));
  return [...plain, ...inner];
}

function namedBy(literal: Literal, line: number): NamedInCode[] {
  const own = besideProgram(literal);
  return own === undefined ? namedAlone(literal, line) : namedAlone(own, line).map((one) => ({ ...one, beside: true }));
}

/** A file beside the program's own, as if the program named its path by one text. */
function besideProgram({ value, before, after }: Literal): Literal | undefined {
  if (BESIDE_TEMPLATE.test(value)) return { value: value.replace(BESIDE_TEMPLATE, ''), before, after };
  const match = BESIDE.exec(before);
  if (match === null) return undefined;
  const [, folders] = match;
  const isCall = folders !== undefined;
  if (isCall && !after.startsWith(')')) return undefined;
  const inner = (folders ?? '').replaceAll(/["' ]/g, '').replaceAll(',', '/');
  return {
    value: inner + value.replace(/^\//, ''),
    before: before
      .slice(0, match.index)
      .replace(/\bpath\.$/, '')
      .trimEnd(),
    after: isCall ? after.slice(1) : after,
  };
}

function namedAlone({ value: written, before, after }: Literal, line: number): NamedInCode[] {
  const value = fileOf(written);
  if (!isDatabase(value) || FOR_TESTS.test(value)) return [];
  const isFilled = FILLED.test(value);
  // Braces are filled in by the program.
  if (!isFilled && hasPlaceholder(value)) return [];
  if (isFilled || JOINED.test(before) || JOINED_AFTER.test(after)) {
    return [{ line, dsn: undefined, needsDriver: SQLITE_PATH.test(value) }];
  }
  if (TEMPLATE.test(before) || !DEFAULT.some((pattern) => pattern.test(before))) return [];
  const ado = adoFile(value);
  const path = ado ?? (SQLITE_PATH.test(value) ? value : undefined);
  const dsn = path !== undefined ? { path } : SQLITE_URL.test(value) ? { url: value } : readDsn(value);
  return dsn === undefined ? [] : [{ line, dsn, needsDriver: path !== undefined && ado === undefined }];
}

/** `app.db?cache=shared&_journal_mode=WAL` is the file `app.db`. */
function fileOf(text: string): string {
  const file = text.replace(PARAMETERS, '');
  return SQLITE_PATH.test(file) && !/[?&]mode=memory\b/i.test(text) ? file : text;
}

function isDatabase(value: string): boolean {
  if (SQLITE_PATH.test(value) || MYSQL_DSN.test(value) || KEYWORD_DSN.test(value)) return true;
  const ado = adoFile(value);
  if (ado !== undefined) return SQLITE_PATH.test(ado);
  return SQLITE_URL.test(value) || (SERVER_URL.test(value) && readDsn(value) !== undefined);
}

/** The file of a connection string of .NET. */
function adoFile(value: string): string | undefined {
  if (!/^(?:data ?source|filename) ?=/i.test(value)) return undefined;
  const pairs = readConnectionString(value);
  return pairs?.get('datasource') ?? pairs?.get('filename');
}
