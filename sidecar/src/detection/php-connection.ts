import type { EngineKind } from '../engines/engine.ts';
import type { CodeFile } from './code-file.ts';
import type { Collector, Place } from './collector.ts';
import { addDescribed, type FieldNames, wordOf } from './connection-fields.ts';
import { callEnvironment } from './readers/code/environment-calls.ts';
import type { Evaluator } from './readers/code/evaluate.ts';
import type { Expr } from './readers/code/expression.ts';
import { engineKindOf } from './readers/engine-names.ts';
import { readPdoDsn } from './readers/pdo-dsn.ts';

/** A connection in an array of PHP settings. */
export interface PhpConnection {
  readonly object: Expr;
  readonly names: FieldNames;
  /** The field with the driver's or adapter's name. */
  readonly driver: readonly string[];
  /** The field with a data source name of PDO. */
  readonly dsn?: readonly string[] | undefined;
  /** The engine where no driver is named. */
  readonly otherwise?: EngineKind | undefined;
  /** The base of a relative database file path. */
  readonly folder?: string | undefined;
}

/** DDEV's name for the database's container. */
const DDEV_HOST = 'db';

/** Adds the connection, or reports what is missing. */
export async function addPhpConnection(
  code: Pick<CodeFile, 'app' | 'evaluator'>,
  collector: Collector,
  place: Place,
  connection: PhpConnection,
): Promise<void> {
  const { app, evaluator } = code;
  const { object, names, folder } = connection;
  const given = firstField(evaluator, object, connection.dsn ?? []);
  const text = given === undefined ? undefined : wordOf(evaluator, given);
  const dsn = text === undefined ? undefined : readPdoDsn(text);
  const word = engineWord(evaluator, firstField(evaluator, object, connection.driver));
  const kind = word === undefined ? connection.otherwise : phpEngine(word);
  const host = firstField(evaluator, object, names.host ?? []);
  if (dsn !== undefined && 'path' in dsn) collector.file(app, place, dsn.path, folder);
  else if (dsn !== undefined) {
    const account = {
      user: known(evaluator, object, names.user ?? []),
      password: known(evaluator, object, names.password ?? []),
    };
    collector.server(app, place, {
      ...dsn,
      user: dsn.user ?? account.user,
      password: dsn.password ?? account.password,
    });
  } else if (given !== undefined && text === undefined) {
    const value = evaluator.value(given);
    collector.skip(place.file, given.line, `${place.what}: the data source ${value.ok ? 'is empty' : value.reason}`);
  } else if (kind === undefined) {
    const reason = word === undefined ? 'the driver is missing or computed' : 'DevDB does not support its driver';
    collector.skip(place.file, place.line, `${place.what}: ${reason}`);
  } else if (app.has('.ddev') && host !== undefined && wordOf(evaluator, host) === DDEV_HOST) {
    // Only DDEV's containers know this name; its own detector says how to reach the database.
    collector.skip(
      place.file,
      place.line,
      `${place.what}: the host ${DDEV_HOST} is a container of DDEV; see .ddev/config.yaml`,
    );
  } else await addDescribed(collector, app, evaluator, place, { kind, object, names, folder });
}

/** The engine that a PHP framework's word for a driver means, e.g. `Mysql::class`, `Postgre`, `DRIVER_PGSQL`. */
function phpEngine(word: string): EngineKind | undefined {
  const last =
    word
      .replace(/\.class$/, '')
      .split(/[\\.]/)
      .at(-1) ?? '';
  const plain = last.replace(/^DRIVER_/, '');
  return plain.toLowerCase() === 'postgre' ? 'postgres' : engineKindOf(plain);
}

/** A variable's default may be the name of a class. */
function engineWord(evaluator: Evaluator, expr: Expr | undefined): string | undefined {
  const word = wordOf(evaluator, expr);
  if (word !== undefined || expr?.kind !== 'call') return word;
  return wordOf(evaluator, callEnvironment(expr)?.otherwise);
}

function firstField(evaluator: Evaluator, object: Expr, names: readonly string[]): Expr | undefined {
  return names
    .map((name) => evaluator.field(object, name))
    .find((expr) => expr !== undefined && !isEmpty(evaluator, expr));
}

function isEmpty(evaluator: Evaluator, expr: Expr): boolean {
  const value = evaluator.value(expr);
  return value.ok && (value.value === null || value.value === '');
}

function known(evaluator: Evaluator, object: Expr, names: readonly string[]): string | undefined {
  const expr = firstField(evaluator, object, names);
  return expr === undefined ? undefined : wordOf(evaluator, expr);
}
