import { type PlainText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { BookState } from '../databases/database-book.ts';
import { readDevdbrc } from '../detection/detectors/devdbrc.ts';
import { isEnvFile } from '../detection/environment.ts';
import { readDotenv } from '../detection/readers/dotenv.ts';
import { engineKindOf } from '../detection/readers/engine-names.ts';
import { readIni } from '../detection/readers/ini.ts';
import { readJsonc } from '../detection/readers/jsonc.ts';
import type { Located } from '../detection/readers/located.ts';
import { readProperties } from '../detection/readers/properties.ts';
import { readToml } from '../detection/readers/toml.ts';
import { readDatabaseUrl } from '../detection/readers/url.ts';
import { readYamlDocuments } from '../detection/readers/yaml.ts';

/** A value that a settings file gives to a name. */
export interface Field {
  readonly line: number;
  /** The names that lead to it, dotted. */
  readonly name: string;
  /** Undefined where other variables decide it. */
  readonly value: string | undefined;
}

const MAX_DEPTH = 12;
const PASSWORD = /pass(word|wd)?$|pwd$/i;
/** What a field may be called whose value is shown: anything else may be a secret that happens to be equal. */
const SHOWN =
  /(host(name)?|server|addr(ess)?|port|user(_?name)?|login|database|db|(db|database|data_?base_?)_?name|^name|\.name|schema|file(name)?|path|storage)$/i;
const ENGINE = /(type|kind|dialect|driver(_?name)?|engine|adapter|client|provider|connection)$/i;

/** Whether a file sets variables of the environment. */
export function setsVariables(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return isEnvFile({ name, type: 'file' }) || file.includes('.envs/');
}

/** The fields of a settings file of a general format, by its name; none of a program's text. */
export function fieldsIn(file: string, text: string): readonly Field[] {
  if (setsVariables(file)) return variablesIn(text);
  if (/\.properties$/.test(file)) return readProperties(text).flatMap((document) => valuesIn(document, ''));
  if (/\.toml$/.test(file)) return valuesIn(readToml(text).values, '');
  if (/\.(ini|cfg|conf)$/.test(file))
    return [...readIni(text)].flatMap(([section, values]) => valuesIn(values, section));
  if (/(^|\/)\.devdbrc$/.test(file)) return leavesOf(readDevdbrc(text).value, '', 0);
  if (/\.json$/.test(file)) return leavesOf(readJsonc(text).value, '', 0);
  return /\.ya?ml$/.test(file) ? readYamlDocuments(text).flatMap(({ value }) => leavesOf(value, '', 0)) : [];
}

function variablesIn(text: string): readonly Field[] {
  return readDotenv(text).entries.map(({ line, name, segments }) => ({
    line,
    name,
    value: segments.every(({ kind }) => kind === 'text')
      ? segments.map((segment) => (segment.kind === 'text' ? segment.text : '')).join('')
      : undefined,
  }));
}

function valuesIn(
  values: ReadonlyMap<string, { readonly line: number; readonly value: string | number | boolean }>,
  section: string,
): readonly Field[] {
  return [...values].map(([name, { line, value }]) => ({
    line,
    name: section === '' ? name : `${section}.${name}`,
    value: String(value),
  }));
}

function leavesOf(located: Located | undefined, name: string, depth: number): readonly Field[] {
  if (located === undefined || depth > MAX_DEPTH) return [];
  if (located.kind === 'scalar') {
    return located.value === null ? [] : [{ line: located.line, name, value: String(located.value) }];
  }
  const inner = (key: string): string => (name === '' ? key : `${name}.${key}`);
  return located.kind === 'array'
    ? located.items.flatMap((item, index) => leavesOf(item, inner(String(index)), depth + 1))
    : [...located.entries].flatMap(([key, value]) => leavesOf(value, inner(key), depth + 1));
}

/**
 * What a field says of the databases that were found, with passwords masked; undefined where no database has a part from it.
 * A value is shown only where its name and the databases agree on what it is.
 */
export function shownValue({ name, value = '' }: Field, entries: BookState['entries']): PlainText | undefined {
  if (value === '' || entries.length === 0) return undefined;
  if (PASSWORD.test(name)) return plain`[secret]`;
  if (ENGINE.test(name)) return engineKindOf(value) === undefined ? undefined : sentenceText(value);
  const url = /^[a-z][a-z0-9+_-]*:/i.test(value) ? maskedUrl(value) : undefined;
  if (url !== undefined) return url;
  return SHOWN.test(name) && entries.some((entry) => partsOf(entry).includes(value)) ? sentenceText(value) : undefined;
}

const URL_NAME = /(data_?base|db|sql|postgres|jdbc)_?ur[il]$|^ur[il]$|dsn$|connection(_?string)?$/i;

/** Whether a field is called like a part of a connection. */
export function isPart({ name }: Pick<Field, 'name'>): boolean {
  return PASSWORD.test(name) || ENGINE.test(name) || URL_NAME.test(name) || SHOWN.test(name);
}

function maskedUrl(text: string): PlainText | undefined {
  const url = readDatabaseUrl(text);
  if (url.kind === 'problem') return undefined;
  if (url.kind === 'sqlite') return sentenceText(text.split(/[?#]/, 1)[0] ?? '');
  const { host, port, user, database, password } = url.target;
  const account = user === '' ? '' : password === undefined ? `${user}@` : `${user}:[secret]@`;
  return sentenceText(`${url.kind}://${account}${host}:${port}/${database}`);
}

function partsOf({ target }: BookState['entries'][number]): readonly string[] {
  if ('file' in target) return [target.file, target.file.slice(target.file.lastIndexOf('/') + 1)];
  return [target.host, String(target.port), target.user, target.database];
}
