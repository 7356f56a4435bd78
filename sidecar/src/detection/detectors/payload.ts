import type { EngineKind } from '../../engines/engine.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addConnection, SCRIPT_FIELDS } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { callsOf } from '../readers/code/program.ts';

const NAME = 'payload';
const FILE = /^payload\.config\.[cm]?[jt]s$/;
const FILES = ['src/payload.config.ts', 'src/payload.config.js'];
/** Adapters, their engines, and the option that describes the connection. */
const ADAPTERS: readonly (readonly [string, EngineKind | undefined, string])[] = [
  ['postgresAdapter', 'postgres', 'pool'],
  ['vercelPostgresAdapter', 'postgres', 'pool'],
  ['sqliteAdapter', 'sqlite', 'client'],
  ['mongooseAdapter', undefined, 'url'],
];

/** The database of a Payload project's configuration. */
export const payload: Detector = {
  name: NAME,
  looksFor: ['payload.config.ts', 'src/payload.config.ts'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      const environment = await project.environment(app, signal);
      const files = [...app.files(FILE), ...(app.has('package.json') && app.has('src') ? FILES : [])];
      for (const name of files.filter((one) => !seen.has(app.path(one)))) {
        seen.add(app.path(name));
        const code = await CodeFile.read(app, name, 'javascript', environment, collector);
        if (code) await addAdapters(code, collector);
      }
    }
    return collector.detection;
  },
};

async function addAdapters(code: CodeFile, collector: Collector): Promise<void> {
  const { app, evaluator, file, program } = code;
  for (const [adapter, kind, option] of ADAPTERS) {
    for (const { call } of callsOf(program, adapter)) {
      const [options] = call.args;
      const object = options && evaluator.field(options, option);
      const place = { what: 'db', file, line: call.line };
      if (kind === undefined) collector.skip(file, call.line, 'uses MongoDB, which DevDB does not support');
      else if (object === undefined)
        collector.skip(file, call.line, `${adapter}: its ${option} is missing or computed`);
      else
        await addConnection(collector, app, evaluator, place, {
          kind,
          object,
          names: SCRIPT_FIELDS,
          folder: app.absolute(),
        });
    }
  }
}
