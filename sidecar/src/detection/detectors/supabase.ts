import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import type { Detector } from '../detector.ts';
import { readToml, type TomlValue } from '../readers/toml.ts';

const NAME = 'supabase';
const FILE = 'supabase/config.toml';
const DEFAULT_PORT = 54_322;
/** The same in every local Supabase stack. */
const ACCOUNT = 'postgres';

/** The local database of a Supabase project. */
export const supabase: Detector = {
  name: NAME,
  looksFor: [FILE],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (app.has('supabase')) await readProject(app, collector, signal);
    }
    return collector.detection;
  },
};

async function readProject(app: AppFolder, collector: Collector, signal: AbortSignal): Promise<void> {
  const file = app.path(FILE);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  const { values, problems } = readToml(text);
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  if (problems.length > 0) return;
  const written = values.get('db.port');
  const line = written?.line ?? values.get('project_id')?.line ?? 1;
  const enabled = values.get('db.enabled');
  if (enabled?.value === false) {
    collector.skip(file, enabled.line, 'the local database is switched off (db.enabled)');
    return;
  }
  const environment = await app.project.environment(app, signal);
  const port = portText(written, (name) => {
    const resolved = environment.resolve(name);
    return resolved.state === 'set' ? resolved.text : undefined;
  });
  if (port === undefined) {
    collector.skip(file, line, 'the port refers to a variable that the .env files do not set');
    return;
  }
  const account = { user: ACCOUNT, password: ACCOUNT, database: ACCOUNT };
  collector.server(app, { what: 'db', file, line }, { kind: 'postgres', host: '127.0.0.1', port, ...account });
}

/** A value may be `env(NAME)`. */
function portText(port: TomlValue | undefined, lookup: (name: string) => string | undefined): string | undefined {
  const text = String(port?.value ?? DEFAULT_PORT);
  const name = /^env\((\w+)\)$/.exec(text)?.[1];
  return name === undefined ? text : lookup(name);
}
