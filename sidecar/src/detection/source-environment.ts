import { basename, dirname } from 'node:path';
import { toolNamed } from './compose-tools.ts';
import { isInside } from './containment.ts';
import { type Finding, PRIORITY, type Skipped } from './detector.ts';

/**
 * Parts of a name that mean test runs, `Shop.IntegrationTests` among them, and those that mean a place where the
 * application serves users.
 */
const TESTS =
  /^(tests?|ci|testing|e2e|specs?|__tests__|cypress|playwright|testdata|integration|(integration|e2e|end-to-end|functional|acceptance|system|load|docker|compose)[_-]?test(s|ing)?|tests?[_-]infra(structure)?|[\w.-]+-e2e|[\w.-]+\.(tests|specs|(unit|integration|functional|acceptance)tests?))$/;
const SERVING = /^(prod|production|staging)$/;
/** By convention the database that test runs empty; a database just called "test" is often a first project's only one. */
const TEST_DATABASE = /[_-]test(s|ing)?$|^test(s|ing)?[_-]/i;
/** Frameworks that keep the database of test runs in settings of its own, so that development's is called as it likes. */
const KEEPS_APART: ReadonlySet<string> = new Set(['laravel', 'rails', 'phoenix', 'cakephp', 'symfony', 'django']);

/** Findings whose file, folder or database is for test runs can be used but are no default; production's need approval. */
export function withEnvironment(finding: Finding, root: string): Finding {
  // The user's own settings for DevDB mean what they say.
  if (finding.priority < PRIORITY.environment) return finding;
  const words = [...sourceWords(finding), ...targetWords(finding, root)];
  if (finding.neverDefault === 'tests' || words.some((word) => TESTS.test(word)) || isTestDatabase(finding)) {
    return { ...finding, neverDefault: 'tests', priority: Math.max(finding.priority, PRIORITY.testEnvironment) };
  }
  const serving = finding.environment === undefined ? words.find((word) => SERVING.test(word)) : undefined;
  if (serving === undefined) return isBeside(finding, words, root) ? { ...finding, neverDefault: 'beside' } : finding;
  return { ...finding, environment: serving, priority: Math.max(finding.priority, PRIORITY.otherEnvironment) };
}

function isTestDatabase({ target, source, environment }: Finding): boolean {
  if ('file' in target || (KEEPS_APART.has(source.by) && environment === undefined)) return false;
  return TEST_DATABASE.test(target.database);
}

/** Detectors that know a database by nothing but its name and its folder. */
const BY_NAME: ReadonlySet<string> = new Set(['database-url', 'variables', 'compose', 'docker-run']);
/** What a variable's name says of a database that is copied from or to. */
const COPIES = /^(legacy|old|backup)$/;
/** How a variable begins that speaks of a part beside the application's data: its queue, its cache, its sessions. */
const OF_PART = /[:/](messenger|queue|cache|session|celery|broker)s?_\w+(@\w+)?$/i;

/** Whether the name or the folder is that of a program beside the application, unless the project is that program. */
function isBeside(finding: Finding, words: readonly string[], root: string): boolean {
  const { by } = finding.source;
  if (finding.neverDefault !== undefined || !BY_NAME.has(by)) return false;
  // Programs have variables of their own, such as `MB_DB_HOST`, but none of them is sure of `DATABASE_URL`.
  const named = by === 'variables' ? finding.name.toLowerCase().split(/[^a-z0-9]+/) : [];
  if (by !== 'compose' && by !== 'docker-run' && OF_PART.test(finding.id)) return true;
  const tool =
    toolNamed([...words, ...named]) ?? (by === 'compose' ? undefined : words.find((word) => COPIES.test(word)));
  return tool !== undefined && !basename(root).toLowerCase().includes(tool);
}

/**
 * A database file that no settings mention is no default where the settings name something that could not be read or
 * leave open which one is used, nor is a container that a script starts or for which nobody names a database, unless it
 * is what they name, nor any container where the application's own engine is another or one that DevDB does not have.
 * Beside a database server of the application's own such a file is none either, nor beside one that the application's
 * own settings name and that only by its name is for tests.
 */
export function withoutFallbacks<T extends Fallback>(
  found: readonly T[],
  skipped: readonly Pick<Skipped, 'unread' | 'suggests'>[],
): T[] {
  const isNamed = found.some(isOnlyCalledTest);
  const unread = new Set(skipped.map((one) => one.unread));
  const isOpen = unread.has('settings') || found.some(({ neverDefault }) => neverDefault === 'undecided');
  const from = unread.has('engine')
    ? PRIORITY.compose
    : isOpen
      ? PRIORITY.script
      : unread.has('server')
        ? PRIORITY.file
        : PRIORITY.testEnvironment;
  const unclear = unread.has('settings') ? unclearServices(found) : NONE;
  return found.map((one) => {
    const isBehind = one.priority >= from || (isOpen && one.unnamed) || isOfOtherEngine(one, skipped);
    const isAside = isBehind && one.priority < PRIORITY.testEnvironment;
    const isFallback = unclear.has(one) || (isAside && (unread.has('engine') || !isMeant(one, skipped)));
    if (one.neverDefault !== undefined) return one;
    if (isFallback) return { ...one, neverDefault: 'unread' };
    const isFile = one.priority >= PRIORITY.file && one.priority < PRIORITY.testEnvironment;
    return isNamed && isFile ? { ...one, neverDefault: 'undecided' } : one;
  });
}

type Fallback = Pick<Finding, 'id' | 'source' | 'priority' | 'neverDefault' | 'kind' | 'target' | 'unnamed'>;

/** Whether only the name of a database that settings name says that it is for tests. */
function isOnlyCalledTest(one: Fallback): boolean {
  return isCalledTest(one) && !CONTAINERS.has(one.source.by);
}

function isCalledTest(one: Fallback): boolean {
  if (one.neverDefault !== 'tests' || 'file' in one.target) return false;
  return !sourceWords(one).some((word) => TESTS.test(word));
}

/**
 * A database that only its name says to be for tests is development's where both the application's variables and its
 * compose file name it and nothing names another.
 */
export function withNamedTwice<T extends Fallback & Pick<Finding, 'environment'>>(
  found: readonly T[],
  skipped: readonly Pick<Skipped, 'unread'>[],
): readonly T[] {
  const isOther = (one: T): boolean =>
    one.neverDefault !== 'tests' && one.environment === undefined && one.priority < PRIORITY.file;
  if (found.some(isOther) || skipped.some(({ unread }) => unread === 'settings')) return found;
  const named = found.filter(isOnlyCalledTest);
  const [first, ...others] = new Set(named.map(databaseOf));
  const isMade = found.some((one) => CONTAINERS.has(one.source.by) && isCalledTest(one) && databaseOf(one) === first);
  if (first === undefined || others.length > 0 || !isMade) return found;
  const [own] = named;
  return found.map((one) => (one === own ? { ...one, neverDefault: undefined, priority: PRIORITY.variables } : one));
}

function databaseOf({ kind, target }: Pick<Finding, 'kind' | 'target'>): string {
  return 'file' in target ? target.file : JSON.stringify([kind, target.port, target.database]);
}

const CONTAINERS: ReadonlySet<string> = new Set(['compose', 'docker-run']);

/** Whether the settings that could not be read say at least their engine, and a container is of another one. */
function isOfOtherEngine(
  { kind, priority }: Pick<Finding, 'kind' | 'priority'>,
  skipped: readonly Pick<Skipped, 'unread' | 'suggests'>[],
): boolean {
  if (priority < PRIORITY.compose) return false;
  const kinds = skipped.flatMap(({ unread, suggests }) => (unread === 'settings' && suggests ? [suggests.kind] : []));
  return kinds.length > 0 && !kinds.includes(kind);
}

const NONE: ReadonlySet<unknown> = new Set();

/** Whether settings name this container's database, of which only the host could not be reached. */
function isMeant(
  { kind, target, priority }: Pick<Finding, 'kind' | 'target' | 'priority'>,
  skipped: readonly Pick<Skipped, 'unread' | 'suggests'>[],
): boolean {
  if (priority >= PRIORITY.file || 'file' in target) return false;
  return skipped.some(
    ({ unread, suggests }) =>
      unread === 'settings' &&
      suggests?.kind === kind &&
      suggests.database === target.database &&
      suggests.user === target.user,
  );
}

/** Of several databases in one folder's compose files only the settings say which one the application uses. */
function unclearServices<T extends Pick<Finding, 'priority' | 'neverDefault'>>(found: readonly T[]): ReadonlySet<T> {
  const services = found.filter(
    ({ neverDefault, priority }) =>
      neverDefault !== 'tests' && priority >= PRIORITY.compose && priority < PRIORITY.script,
  );
  const [first, second] = services.map((one) => Math.floor(one.priority / 10));
  return first !== undefined && first === second ? new Set(services) : new Set();
}

/** The file's, and those of the id behind the detector's name. */
function sourceWords({ id, source }: Pick<Finding, 'id' | 'source'>): string[] {
  return [...wordsOf(source.file), ...wordsOf(id.slice(id.indexOf(':') + 1).replaceAll(/[:@]/g, '.'))];
}

function targetWords({ target }: Finding, root: string): string[] {
  if (!('file' in target)) return [];
  return wordsOf(isInside(root, target.file) ? target.file.slice(root.length) : basename(target.file));
}

/** Whole folder names, and the parts of the file's name. */
function wordsOf(path: string): string[] {
  const file = path.replaceAll('\\', '/').toLowerCase();
  return [...dirname(file).split('/'), ...basename(file).split(/[^a-z0-9]+/)];
}
