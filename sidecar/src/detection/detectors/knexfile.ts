import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import type { Compose } from '../compose.ts';
import { leavesEngineOpen } from '../compose-variables.ts';
import { addConnection, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { environmentOf } from '../environment-names.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';

const NAME = 'knexfile';
const FILE = /^knexfile\.[cm]?[jt]s$/;

/** The connections of a knexfile: one per environment, or just one. */
export const knexfile: Detector = {
  name: NAME,
  looksFor: ['knexfile.js', 'knexfile.ts', 'knexfile.cjs', 'knexfile.mjs'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      for (const file of app.files(FILE)) await readFile(app, file, collector, signal);
    }
    return collector.detection;
  },
};

async function readFile(app: AppFolder, name: string, collector: Collector, signal: AbortSignal): Promise<void> {
  const environment = await app.project.environment(app, signal);
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  const compose = await app.project.compose(signal);
  const config = exported(code.program);
  const resolved = config && code.evaluator.resolve(config);
  if (resolved?.kind !== 'object') {
    collector.skip(code.file, config?.line, 'exports no object that can be read without running code');
    return;
  }
  if (code.evaluator.field(resolved, 'client')) {
    await addEntry({ code, compose, collector }, 'default', resolved, '');
    return;
  }
  for (const [key, entry] of resolved.entries) {
    await addEntry({ code, compose, collector }, key, entry, environmentOf(key));
  }
}

interface Adding {
  readonly code: CodeFile;
  readonly compose: Compose;
  readonly collector: Collector;
}

async function addEntry(
  { code, compose, collector }: Adding,
  what: string,
  entry: Expr,
  environment: string,
): Promise<void> {
  const { app, file, evaluator } = code;
  const { value: client, unset } = code.withFallbacks(() =>
    wordOf(evaluator, evaluator.field(entry, 'client') ?? evaluator.field(entry, 'dialect')),
  );
  const kind = client === undefined ? undefined : engineKindOf(client);
  const isOpen = kind !== undefined && leavesEngineOpen(compose, app.folder, unset, kind);
  const place = { what, file, line: entry.line, environment, undecided: isOpen || undefined };
  if (client === undefined) collector.skip(file, entry.line, `${what}: the client is missing or computed`);
  else if (kind === undefined) collector.skip(file, entry.line, `${what}: DevDB does not support its client`);
  else {
    const object = evaluator.field(entry, 'connection');
    if (object === undefined) collector.skip(file, entry.line, `${what}: has no connection`);
    else {
      const folder = kind === 'sqlite' ? code.folder : undefined;
      await addConnection(collector, app, evaluator, place, { kind, object, names: SCRIPT_FIELDS, folder });
    }
  }
}
