import { posix } from 'node:path';
import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { environmentOf } from '../environment-names.ts';
import type { Value } from '../readers/code/evaluate.ts';
import { nameOf } from '../readers/code/expression.ts';
import { callsOf } from '../readers/code/program.ts';

const NAME = 'wordpress';
/** WordPress itself, then Bedrock. */
const FILES = ['wp-config.php', 'config/application.php'];
const NEEDED = ['DB_NAME', 'DB_USER', 'DB_PASSWORD', 'DB_HOST'] as const;
/** The values in WordPress's sample file. */
const SAMPLE: ReadonlySet<string> = new Set(['database_name_here', 'username_here', 'password_here']);

interface Defined {
  readonly value: Value;
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
        if (code) await readSite(app, code, collector);
      }
    }
    return collector.detection;
  },
};

async function readSite(app: AppFolder, code: CodeFile, collector: Collector): Promise<void> {
  const constants = constantsOf(code);
  const { file } = code;
  const name = constants.get('DB_NAME');
  if (name === undefined) {
    // Bedrock's own wp-config.php defines nothing and includes another file.
    if (posix.basename(file) !== 'wp-config.php' || !app.has('wp-content')) return;
    collector.skip(file, undefined, 'defines no DB_NAME');
    return;
  }
  const texts = new Map<string, string>();
  for (const key of NEEDED) {
    const constant = constants.get(key);
    const why = constant === undefined ? undefined : unclear(key, constant);
    if (why !== undefined || constant === undefined) {
      // Without a host it is this machine, as in the sample file.
      if (key === 'DB_HOST' && constant === undefined) continue;
      collector.skip(file, constant?.line ?? name.line, why ?? `defines no ${key}`);
      return;
    }
    if (constant.value.ok) texts.set(key, String(constant.value.value ?? ''));
  }
  const type = constants.get('WP_ENVIRONMENT_TYPE')?.value ?? constants.get('WP_ENV')?.value;
  const environment = environmentOf(type?.ok ? String(type.value ?? '') : '');
  collector.server(
    app,
    { what: 'db', file, line: name.line, environment },
    {
      kind: 'mysql2',
      ...hostOf(texts.get('DB_HOST') ?? 'localhost'),
      user: texts.get('DB_USER'),
      password: texts.get('DB_PASSWORD'),
      database: texts.get('DB_NAME'),
    },
  );
}

/** A constant's first definition counts; PHP refuses a second one. */
function constantsOf(code: CodeFile): ReadonlyMap<string, Defined> {
  const constants = new Map<string, Defined>();
  for (const { call, depth } of [...callsOf(code.program, 'define'), ...callsOf(code.program, 'Config')]) {
    const callee = nameOf(call.of);
    const [name, value] = call.args;
    if ((callee !== 'define' && callee !== 'Config.define') || name?.kind !== 'value' || value === undefined) continue;
    const key = String(name.value);
    if (constants.has(key)) continue;
    constants.set(key, { value: code.evaluator.value(value), line: call.line, conditional: depth > 0 });
  }
  return constants;
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
