import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { FieldNames } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';

const NAME = 'typo3';
/** The settings that TYPO3 writes, and what a person adds; the present place first. */
const PLACES = [
  ['config/system/settings.php', 'config/system/additional.php'],
  ['public/typo3conf/LocalConfiguration.php', 'public/typo3conf/AdditionalConfiguration.php'],
  ['typo3conf/LocalConfiguration.php', 'typo3conf/AdditionalConfiguration.php'],
] as const;
const ADDED = /^\$GLOBALS\.TYPO3_CONF_VARS\.DB\.Connections\.(\w+)\.(\w+)$/;
const FIELDS: FieldNames = {
  host: ['unix_socket', 'host'],
  port: ['port'],
  user: ['user'],
  password: ['password'],
  database: ['dbname'],
  file: ['path'],
};

/** The connections of a TYPO3 site. */
export const typo3: Detector = {
  name: NAME,
  looksFor: PLACES.map(([settings]) => settings),
  async detect(project, signal) {
    const collector = new Collector(NAME);
    // The web server's folder is also a folder of its own.
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      for (const [settings, additional] of PLACES) {
        if (!app.has(settings.split('/')[0] ?? '') || seen.has(app.path(settings))) continue;
        seen.add(app.path(settings));
        if (await readPlace(app, settings, additional, environment, collector)) break;
      }
    }
    return collector.detection;
  },
};

/** False when there are no such settings. */
async function readPlace(
  app: AppFolder,
  settings: string,
  additional: string,
  environment: Environment,
  collector: Collector,
): Promise<boolean> {
  const code = await CodeFile.read(app, settings, 'php', environment, collector);
  const config = code && exported(code.program);
  const database = config && code?.evaluator.field(config, 'DB');
  const connections = database && code?.evaluator.field(database, 'Connections');
  const resolved = connections && code?.evaluator.resolve(connections);
  if (code === undefined || resolved?.kind !== 'object') return false;
  const changed = await changesIn(app, additional, environment, collector);
  for (const [what, object] of resolved.entries) {
    const place = { what, file: code.file, line: object.line, rank: what === 'Default' ? 0 : 1 };
    const merged: Expr = {
      kind: 'object',
      line: object.line,
      entries: changed.get(what) ?? new Map<string, Expr>(),
      spreads: [object],
      overrides: [],
    };
    await addPhpConnection(code, collector, place, {
      object: merged,
      names: FIELDS,
      driver: ['driver'],
      folder: app.absolute(),
    });
  }
  return true;
}

/** By connection, the fields that the second file sets afterwards. What a condition sets is unknown. */
async function changesIn(
  app: AppFolder,
  file: string,
  environment: Environment,
  collector: Collector,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Expr>>> {
  const changes = new Map<string, Map<string, Expr>>();
  const code = await CodeFile.read(app, file, 'php', environment, collector);
  for (const { target, value, line, conditional } of code?.program.assignments ?? []) {
    const [, connection, field] = ADDED.exec(target) ?? [];
    if (code === undefined || connection === undefined || field === undefined) continue;
    const own = changes.get(connection) ?? new Map<string, Expr>();
    const known = code.evaluator.value(value);
    // Values belong to their own file, so they are determined here.
    own.set(
      field,
      known.ok && !conditional ? { kind: 'value', line, value: known.value } : { kind: 'unreadable', line },
    );
    changes.set(connection, own);
  }
  return changes;
}
