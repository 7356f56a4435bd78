import { isAbsolute, posix, relative } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import type { Environment } from '../environment.ts';
import { environmentOf } from '../environment-names.ts';
import type { Value } from '../readers/code/evaluate.ts';
import { type Expr, nameOf } from '../readers/code/expression.ts';
import { parseAt, parseOperandAt } from '../readers/code/parser.ts';
import { executedTokens } from '../readers/code/php-branches.ts';
import { callsOf, type Program } from '../readers/code/program.ts';

const NAME = 'wordpress';
/** WordPress itself, then Bedrock. */
const FILES = ['wp-config.php', 'config/application.php'];
/** Where older sites of Bedrock's kind define what its `application.php` leaves out. */
const OF_DEVELOPMENT = ['config/environments/development.php', 'config/environments/Development.php'];
/** Files of settings that a site's own may include. */
const INCLUDED =
  /^(?:[\w-]{0,40}[_.-])?(?:conf|config|local|env|environment|db|database|settings)(?:[_.-][\w.-]{0,40})?\.php$/i;
const MAX_INCLUDED = 5;
const NEEDED = ['DB_NAME', 'DB_USER', 'DB_PASSWORD', 'DB_HOST'] as const;
/** The values in WordPress's sample file. */
const SAMPLE: ReadonlySet<string> = new Set(['database_name_here', 'username_here', 'password_here']);

interface Defined {
  readonly value: Value;
  readonly file: string;
  readonly line: number;
  readonly conditional: boolean;
}

/** The database of a WordPress site, from the constants of `wp-config.php`. */
export const wordpress: Detector = {
  name: NAME,
  looksFor: ['wp-config.php', 'config/application.php (Bedrock)'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      const isBedrock = app.has('config') && app.has('composer.json') && app.has('web');
      for (const name of FILES) {
        if (name === 'wp-config.php' ? !app.has(name) : !isBedrock) continue;
        const code = await CodeFile.read(app, name, 'php', environment, collector);
        if (code === undefined || (await readSite(app, code, environment, collector)) || name === 'wp-config.php')
          continue;
        for (const other of OF_DEVELOPMENT) {
          const own = await CodeFile.read(app, other, 'php', environment, collector);
          if (own && (await readSite(app, own, environment, collector))) break;
        }
      }
    }
    return collector.detection;
  },
};

/** Whether the file names a database, readable or not. */
async function readSite(
  app: AppFolder,
  code: CodeFile,
  environment: Environment,
  collector: Collector,
): Promise<boolean> {
  const constants = await constantsOf(code, environment, collector);
  const { file } = code;
  const name = constants.get('DB_NAME');
  if (name === undefined) {
    // Bedrock's own wp-config.php defines nothing and includes another file.
    if (posix.basename(file) !== 'wp-config.php' || !app.has('wp-content')) return false;
    collector.skip(file, undefined, 'defines no DB_NAME');
    return false;
  }
  const texts = new Map<string, string>();
  for (const key of NEEDED) {
    const constant = constants.get(key);
    const why = constant === undefined ? undefined : unclear(key, constant);
    if (why !== undefined || constant === undefined) {
      // Without a host it is this machine, as in the sample file.
      if (key === 'DB_HOST' && constant === undefined) continue;
      const at = constant ?? name;
      collector.skip(at.file, at.line, why ?? `defines no ${key}`);
      return true;
    }
    if (constant.value.ok) texts.set(key, String(constant.value.value ?? ''));
  }
  const type = constants.get('WP_ENVIRONMENT_TYPE')?.value ?? constants.get('WP_ENV')?.value;
  const declared = environmentOf(type?.ok ? String(type.value ?? '') : '');
  collector.server(
    app,
    { what: 'db', file: name.file, line: name.line, environment: declared },
    {
      kind: 'mysql2',
      ...hostOf(texts.get('DB_HOST') ?? 'localhost'),
      user: texts.get('DB_USER'),
      password: texts.get('DB_PASSWORD'),
      database: texts.get('DB_NAME'),
    },
  );
  return true;
}

/**
 * A constant's first definition counts; PHP refuses a second one. Files of settings that are included and the branches
 * that are taken on a developer's machine are followed.
 */
async function constantsOf(
  code: CodeFile,
  environment: Environment,
  collector: Collector,
  isIncluded = false,
): Promise<ReadonlyMap<string, Defined>> {
  const { program, evaluator, file, app } = code;
  const constants = new Map<string, Defined>();
  const executed = executedTokens(program.tokens, { ask: (expr) => evaluator.value(expr), files: await filesIn(code) });
  let included = 0;
  for (const [at, token] of program.tokens.entries()) {
    if (token.kind !== 'name' || executed[at] === false) continue;
    const conditional = executed[at] === undefined;
    if (/^(require|include)(_once)?$/.test(token.text) && !isIncluded && included < MAX_INCLUDED) {
      const path = evaluator.value(parseAt(program.tokens, at + 1, 'php').expr);
      const name = path.ok ? nameBelow(app, String(path.value)) : undefined;
      if (name === undefined || !INCLUDED.test(posix.basename(name))) continue;
      included += 1;
      const other = await CodeFile.read(app, name, 'php', environment, collector);
      for (const [key, one] of other ? await constantsOf(other, environment, collector, true) : []) {
        if (!constants.has(key)) constants.set(key, { ...one, conditional: one.conditional || conditional });
      }
    } else if (token.text === 'define' || token.text === 'Config') {
      const call = callAt(program, at);
      const [name, value] = call?.args ?? [];
      if (call === undefined || name?.kind !== 'value' || value === undefined) continue;
      const key = String(name.value);
      if (!constants.has(key))
        constants.set(key, { value: evaluator.value(value), file, line: call.line, conditional });
    }
  }
  return constants;
}

/** `define(...)`, and Bedrock's `Config::define(...)` */
function callAt({ tokens }: Program, at: number): Extract<Expr, { kind: 'call' }> | undefined {
  const expr = parseOperandAt(tokens, at, 'php');
  const isDefinition = expr.kind === 'call' && /^(Config\.)?define$/.test(nameOf(expr.of) ?? '');
  return isDefinition ? expr : undefined;
}

/** The files that conditions ask for and that are there. */
async function filesIn({ program, evaluator, app }: CodeFile): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  const asks = ['file_exists', 'is_file', 'is_readable'].flatMap((name) => callsOf(program, name));
  for (const { call } of asks.slice(0, MAX_INCLUDED)) {
    const [first] = call.args;
    const path = first && evaluator.value(first);
    if (!path?.ok || nameBelow(app, String(path.value)) === undefined) continue;
    if ((await app.project.locate(String(path.value))).exists) files.add(String(path.value));
  }
  return files;
}

/** The name of a file below the application's folder, with forward slashes. */
function nameBelow(app: AppFolder, path: string): string | undefined {
  const name = relative(app.absolute(), path);
  return name === '' || name.startsWith('..') || isAbsolute(name) ? undefined : name.replaceAll('\\', '/');
}

function unclear(key: string, { value, conditional }: Defined): string | undefined {
  if (conditional) return `${key} is defined inside a condition, which cannot be evaluated without running code`;
  if (!value.ok) return `${key} ${value.reason}`;
  return SAMPLE.has(String(value.value)) ? `${key} still has its sample value` : undefined;
}

/** `host`, `host:port`, `host:/socket`, `:/socket`, `[::1]:port` */
function hostOf(text: string): { readonly host: string; readonly port?: string } {
  const socket = /^[^/]*:(\/.+)$/.exec(text)?.[1];
  if (socket !== undefined) return { host: socket };
  const [, host = text, port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  return port === undefined ? { host: plain } : { host: plain, port };
}
