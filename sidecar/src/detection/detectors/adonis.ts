import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addConnection, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import type { Evaluator } from '../readers/code/evaluate.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';
import { engineKindOf } from '../readers/engine-names.ts';

const NAME = 'adonis';
const MARKERS = ['adonisrc.ts', '.adonisrc.json', 'ace.js', 'ace'];
const FILES = ['config/database.ts', 'config/database.js'];

/** The connections of an Adonis application's Lucid configuration. */
export const adonis: Detector = {
  name: NAME,
  looksFor: ['config/database.ts beside adonisrc.ts, .adonisrc.json or ace.js'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('config') || !MARKERS.some((marker) => app.has(marker))) continue;
      const environment = await project.environment(app, signal);
      for (const file of FILES) {
        const code = await CodeFile.read(app, file, 'javascript', environment, collector);
        if (code) await readConnections(app, code, collector);
      }
    }
    return collector.detection;
  },
};

async function readConnections(app: AppFolder, code: CodeFile, collector: Collector): Promise<void> {
  const { evaluator, file } = code;
  const config = exported(code.program);
  // Its older releases have the connections beside the choice.
  const connections = config && (evaluator.field(config, 'connections') ?? config);
  const resolved = connections && evaluator.resolve(connections);
  const entries = resolved?.kind === 'object' ? connectionsIn(evaluator, resolved) : [];
  if (config === undefined || entries.length === 0) {
    collector.skip(file, config?.line, 'has no connections that can be read without running code');
    return;
  }
  const chosen = wordOf(evaluator, evaluator.field(config, 'connection'));
  for (const [what, entry] of entries) {
    await addEntry(app, code, collector, what, entry, what === chosen ? 0 : 1);
  }
  if (chosen !== undefined && !entries.some(([what]) => what === chosen)) {
    collector.skip(file, config.line, 'the default connection is not one of its connections', true);
  }
}

function connectionsIn(evaluator: Evaluator, object: Extract<Expr, { kind: 'object' }>): (readonly [string, Expr])[] {
  return [...object.entries].filter(([, entry]) => evaluator.resolve(entry).kind === 'object');
}

async function addEntry(
  app: AppFolder,
  code: CodeFile,
  collector: Collector,
  what: string,
  entry: Expr,
  rank: number,
): Promise<void> {
  const { evaluator, file } = code;
  const client = wordOf(evaluator, evaluator.field(entry, 'client'));
  const kind = client === undefined ? undefined : engineKindOf(client);
  const object = evaluator.field(entry, 'connection');
  if (client === undefined) collector.skip(file, entry.line, `${what}: the client is missing or computed`);
  else if (kind === undefined) collector.skip(file, entry.line, `${what}: DevDB does not support its client`);
  else if (object === undefined) collector.skip(file, entry.line, `${what}: has no connection`);
  else {
    const place = { what, file, line: entry.line, rank };
    const folder = kind === 'sqlite' ? app.absolute() : undefined;
    await addConnection(collector, app, evaluator, place, { kind, object, names: SCRIPT_FIELDS, folder });
  }
}
