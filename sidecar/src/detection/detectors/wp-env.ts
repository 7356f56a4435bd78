import { ENGINES } from '@devdb/shared/engines';
import type { AppFolder } from '../app-folder.ts';
import { Collector } from '../collector.ts';
import { wpEnvContainer } from '../containers.ts';
import type { Detector } from '../detector.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, type Located, textOf } from '../readers/located.ts';

const NAME = 'wp-env';
const FILES = ['.wp-env.override.json', '.wp-env.json'];
/** wp-env uses the same account in every project. */
const ACCOUNT = { user: 'root', password: 'password' };

/** The databases of wp-env, WordPress's own environment. A port is in its files only where `mysqlPort` fixes it. */
export const wpEnv: Detector = {
  name: NAME,
  looksFor: FILES,
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) await readApp(app, collector);
    return collector.detection;
  },
};

async function readApp(app: AppFolder, collector: Collector): Promise<void> {
  const read: { readonly file: string; readonly value: Located | undefined }[] = [];
  for (const name of FILES.filter((one) => app.has(one))) {
    const file = app.path(name);
    const text = await collector.textOf(app, file);
    if (text === undefined) continue;
    const { value, problems } = readJsonc(text);
    for (const { line, reason } of problems) collector.skip(file, line, reason, true);
    read.push({ file, value });
  }
  const [first] = read;
  if (first === undefined) return;
  for (const [environment, database, service] of [
    ['development', 'wordpress', 'mysql'] as const,
    ['tests', 'tests-wordpress', 'tests-mysql'] as const,
  ]) {
    const set = read
      .map(({ file, value }) => {
        const inner = at(value, 'env', environment, 'mysqlPort');
        return { file, port: inner ?? (environment === 'development' ? at(value, 'mysqlPort') : undefined) };
      })
      .find(({ port }) => port !== undefined);
    const port = textOf(set?.port);
    const isContainer = wpEnvContainer(app.project.spellings(app.folder), service);
    const reached =
      port === undefined
        ? await app.project.containers.reach(isContainer, ENGINES.mysql2.port)
        : { host: '127.0.0.1', port };
    if (reached === undefined) {
      if (environment === 'development') {
        const reason =
          'the database of wp-env gets its port only while it runs: set mysqlPort to fix it, or take the port that `wp-env start` shows into .devdbrc';
        collector.skip(first.file, undefined, reason);
      }
      continue;
    }
    const place = {
      what: database,
      file: set?.file ?? first.file,
      line: set?.port?.line,
      environment: environment === 'tests' ? 'test' : '',
    };
    collector.server(app, place, { kind: 'mysql2', ...reached, database, ...ACCOUNT });
  }
}
