import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { FieldNames } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import type { Assignment } from '../readers/code/program.ts';

const NAME = 'drupal';
/** Where projects keep what the web server shows. */
const ROOTS = ['', 'web', 'docroot', 'html', 'public'];
/** Settings of one machine win over those that come with the site. */
const FILES = ['settings.php', 'settings.local.php'];
const MAX_SITES = 20;
const FIELDS: FieldNames = {
  host: ['unix_socket', 'host'],
  port: ['port'],
  user: ['username'],
  password: ['password'],
  database: ['database'],
  file: ['database'],
};

/** The databases of Drupal's sites. */
export const drupal: Detector = {
  name: NAME,
  looksFor: ['sites/*/settings.php and settings.local.php, also in web/ and docroot/'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    // The web server's folder is also a folder of its own.
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      for (const root of ROOTS) {
        if (root === '' ? !app.has('sites') : !app.has(root) || !app.has('composer.json')) continue;
        const folder = app.path(root === '' ? 'sites' : `${root}/sites`);
        if (seen.has(folder)) continue;
        seen.add(folder);
        await readSites(app, root, environment, collector, signal);
      }
    }
    return collector.detection;
  },
};

async function readSites(
  app: AppFolder,
  root: string,
  environment: Environment,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  const folder = root === '' ? 'sites' : `${root}/sites`;
  const listing = await app.project.list(app.path(folder), { folders: { names: [], others: 'undotted' } }, signal);
  const sites = listing.state === 'listed' ? listing.items.map(({ name }) => name) : [];
  for (const site of sites.slice(0, MAX_SITES)) {
    const found = new Map<string, { readonly code: CodeFile; readonly object: Expr }>();
    for (const name of FILES) {
      const code = await CodeFile.read(app, `${folder}/${site}/${name}`, 'php', environment, collector);
      if (code === undefined) continue;
      for (const [what, object] of databasesIn(code)) found.set(what, { code, object });
    }
    for (const [what, { code, object }] of found)
      await add(code, collector, `${site}.${what}`, object, app.absolute(root));
  }
}

/** `$databases['default']['default'] = [...]`, or all of them in one array. */
function databasesIn(code: CodeFile): (readonly [string, Expr])[] {
  return code.program.assignments.flatMap((assignment) => {
    const [root, key, target, field] = assignment.target.split('.');
    if (root !== '$databases' || field !== undefined) return [];
    const { value, line } = shown(assignment);
    if (key !== undefined && target !== undefined) return [[named(key, target), { ...value, line }] as const];
    const object = code.evaluator.resolve(value);
    if (object.kind !== 'object') return key === undefined ? [] : [[key, { ...value, line }] as const];
    if (key !== undefined) return [...object.entries].map(([name, one]) => [named(key, name), one] as const);
    return [...object.entries].flatMap(([outer, inner]) => {
      const targets = code.evaluator.resolve(inner);
      return targets.kind === 'object'
        ? [...targets.entries].map(([name, one]) => [named(outer, name), one] as const)
        : [];
    });
  });
}

/** What a condition sets may not hold. */
function shown({ value, line, conditional }: Assignment): { readonly value: Expr; readonly line: number } {
  return { value: conditional ? { kind: 'unreadable', line } : value, line };
}

function named(key: string, target: string): string {
  return target === 'default' ? key : `${key}.${target}`;
}

async function add(code: CodeFile, collector: Collector, what: string, object: Expr, folder: string): Promise<void> {
  const place = { what, file: code.file, line: object.line, rank: what === 'default.default' ? 0 : 1 };
  if (code.evaluator.resolve(object).kind !== 'object') {
    collector.skip(code.file, object.line, `${what}: is set in a condition or computed; it is not run`);
  } else await addPhpConnection(code, collector, place, { object, names: FIELDS, driver: ['driver'], folder });
}
