import { ENGINES, type ServerKind } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import { textOfService } from '../compose-service.ts';
import { landoContainer } from '../containers.ts';
import type { Detector } from '../detector.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { at, entriesOf, type Located, textOf } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';

const NAME = 'lando';
const FILES = ['.lando.base.yml', '.lando.dist.yml', '.lando.yml', '.lando.local.yml'];

/** The database services of a Lando project. A port is in its files only where `portforward` or `overrides` fix it. */
export const lando: Detector = {
  name: NAME,
  looksFor: ['.lando.yml', '.lando.local.yml'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      const services = new Map<string, { readonly value: Located; readonly file: string }>();
      for (const name of FILES.filter((one) => app.has(one))) {
        const text = await collector.textOf(app, app.path(name));
        if (text === undefined) continue;
        const { value, problems } = readYaml(text);
        for (const { line, reason } of problems) collector.skip(app.path(name), line, reason, true);
        for (const [service, found] of entriesOf(at(value, 'services'))) {
          services.set(service, { value: found, file: app.path(name) });
        }
        const recipe = at(value, 'recipe');
        if (recipe && services.size === 0) collector.skip(app.path(name), recipe.line, withoutPort('database'));
      }
      for (const [service, { value, file }] of services) await addService(app, collector, service, value, file);
    }
    return collector.detection;
  },
};

async function addService(
  app: AppFolder,
  collector: Collector,
  what: string,
  service: Located,
  file: string,
): Promise<void> {
  const type = (textOf(at(service, 'type')) ?? '').split(':', 1)[0] ?? '';
  const kind = engineKindOf(type);
  if (kind === undefined || kind === 'sqlite') return;
  const isContainer = landoContainer(app.project.spellings(app.folder), what);
  const reached =
    (await fixedPort(service, kind, file)) ?? (await app.project.containers.reach(isContainer, ENGINES[kind].port));
  if (reached === undefined) {
    collector.skip(file, service.line, withoutPort(what));
    return;
  }
  // Lando's own accounts, unless the file names another.
  const own = (field: string, otherwise: string): string => textOf(at(service, 'creds', field)) ?? otherwise;
  const account = {
    user: own('user', type),
    password: own('password', kind === 'postgres' ? '' : type),
    database: own('database', 'database'),
  };
  collector.server(app, { what, file, line: service.line }, { kind, ...reached, ...account });
}

/** `portforward`, or what the service's own compose settings publish. */
async function fixedPort(
  service: Located,
  kind: ServerKind,
  file: string,
): Promise<{ readonly host: string; readonly port: string | number } | undefined> {
  const written = textOf(at(service, 'portforward'));
  if (written !== undefined && /^\d+$/.test(written)) return { host: '127.0.0.1', port: written };
  const overrides = at(service, 'overrides');
  if (overrides === undefined) return undefined;
  const interpolate = (source: string): string | undefined => (source.includes('$') ? undefined : source);
  const { ports } = await textOfService(overrides, { file, interpolate, envFile: async () => new Map() });
  return ports.find(({ container }) => container === ENGINES[kind].port);
}

function withoutPort(service: string): string {
  return `the Lando service ${service} gets its port only while Lando runs: set portforward to a number to fix it, or take the port that \`lando info --format json\` shows into .devdbrc`;
}
