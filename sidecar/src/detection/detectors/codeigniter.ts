import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector, type Place } from '../collector.ts';
import { type FieldNames, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import { addPhpConnection, type PhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { propertiesOf } from '../readers/code/php-properties.ts';
import type { Assignment } from '../readers/code/program.ts';

const NAME = 'codeigniter';
const FILE_4 = 'app/Config/Database.php';
/** A development environment's own file replaces the general one. */
const FILES_3 = ['application/config/development/database.php', 'application/config/database.php'];
const FIELDS: FieldNames = {
  host: ['hostname'],
  port: ['port'],
  user: ['username'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
};
const CONNECTION = { names: FIELDS, driver: ['DBDriver', 'dbdriver'], dsn: ['DSN', 'dsn'] } as const;

/** The connection groups of CodeIgniter 3 and 4, with the `database.*` variables of version 4. */
export const codeigniter: Detector = {
  name: NAME,
  looksFor: [`${FILE_4} beside spark`, 'application/config/database.php'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      if (app.has('spark') && app.has('app')) await readVersion4(app, environment, collector);
      if (app.has('application')) await readVersion3(app, environment, collector);
    }
    return collector.detection;
  },
};

async function readVersion4(app: AppFolder, environment: Environment, collector: Collector): Promise<void> {
  const code = await CodeFile.read(app, FILE_4, 'php', environment, collector);
  if (code === undefined) return;
  const properties = propertiesOf(code.program);
  const chosen = wordOf(code.evaluator, properties.get('defaultGroup')) ?? 'default';
  for (const [group, written] of properties) {
    const own = code.evaluator.resolve(written);
    if (own.kind !== 'object' || !(own.entries.has('DBDriver') || own.entries.has('hostname'))) continue;
    const { object, variable } = withVariables(own, group, environment);
    const place = placeOf(group, chosen, variable ?? { file: code.file, line: written.line });
    await add(code, collector, place, { ...CONNECTION, object, folder: app.absolute('writable') });
  }
}

/** `database.default.hostname = ...` of the `.env` files wins over the class. */
function withVariables(
  own: Expr,
  group: string,
  environment: Environment,
): { readonly object: Expr; readonly variable: { readonly file: string; readonly line: number } | undefined } {
  const entries = new Map<string, Expr>();
  let variable: { file: string; line: number } | undefined;
  for (const field of ['DSN', 'hostname', 'port', 'username', 'password', 'database', 'DBDriver']) {
    const resolved = environment.resolve(`database.${group}.${field}`);
    if (resolved.state !== 'set') continue;
    const line = resolved.line ?? 1;
    entries.set(field, { kind: 'value', line, value: resolved.text });
    if (variable === undefined || field === 'hostname') variable = { file: resolved.file, line };
  }
  return { object: { kind: 'object', line: own.line, entries, spreads: [own], overrides: [] }, variable };
}

async function readVersion3(app: AppFolder, environment: Environment, collector: Collector): Promise<void> {
  for (const file of FILES_3) {
    const code = await CodeFile.read(app, file, 'php', environment, collector);
    if (code === undefined) continue;
    const chosen = wordOf(
      code.evaluator,
      code.program.assignments.find(({ target }) => target === '$active_group')?.value,
    );
    for (const [group, object] of groupsOf(code.program.assignments)) {
      const place = placeOf(group, chosen ?? 'default', { file: code.file, line: object.line });
      await add(code, collector, place, { ...CONNECTION, object });
    }
    return;
  }
}

/** `$db['default'] = array(...)` and `$db['default']['hostname'] = ...` */
function groupsOf(assignments: readonly Assignment[]): ReadonlyMap<string, Expr> {
  const groups = new Map<string, Expr>();
  for (const { target, value, line, conditional } of assignments) {
    const [root, group, field] = target.split('.');
    if (root !== '$db' || group === undefined) continue;
    const now: Expr = conditional ? { kind: 'unreadable', line } : value;
    const before = groups.get(group) ?? { kind: 'object', line, entries: new Map(), spreads: [], overrides: [] };
    if (field === undefined) groups.set(group, { ...now, line });
    else
      groups.set(group, {
        kind: 'object',
        line: before.line,
        entries: new Map([[field, now]]),
        spreads: [before],
        overrides: [],
      });
  }
  return groups;
}

async function add(code: CodeFile, collector: Collector, place: Place, connection: PhpConnection): Promise<void> {
  const object = code.evaluator.resolve(connection.object);
  const { file, line, what } = place;
  const database = code.evaluator.field(object, 'database');
  const dsn = code.evaluator.field(object, 'DSN') ?? code.evaluator.field(object, 'dsn');
  const isUnset = [database, dsn].every(
    (field) => field === undefined || (field.kind === 'value' && field.value === ''),
  );
  if (object.kind !== 'object') collector.skip(file, line, `${what}: is set in a condition or computed; it is not run`);
  else if (isUnset) collector.skip(file, line, `${what}: names no database yet`);
  else await addPhpConnection(code, collector, place, { ...connection, object });
}

function placeOf(
  group: string,
  chosen: string,
  { file, line }: { readonly file: string; readonly line: number },
): Place {
  const environment = group === 'tests' ? 'test' : group === chosen ? '' : environmentOf(group);
  const isPlain = /^(production|prod|staging|testing|test|ci)$/i.test(environment);
  return { what: group, file, line, environment: isPlain ? environment : '', rank: group === chosen ? 0 : 5 };
}
