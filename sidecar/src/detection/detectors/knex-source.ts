import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { addConnection, SCRIPT_FIELDS, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { environmentInName } from '../environment-names.ts';
import { keyedLiteralsWith } from '../readers/code/object-literals.ts';
import { engineKindOf } from '../readers/engine-names.ts';
import { scriptFiles } from '../script-files.ts';

const NAME = 'knex-source';
const LIBRARY =
  /"(?:knex|objection|bookshelf|nest-knexjs|nestjs-knex|nestjs-objection|@[\w-]+\/nestjs-(?:knex|objection))"\s*:/;
const SPEAKS = /\bknex|objection|bookshelf/i;
/** It has a detector of its own. */
const KNEXFILE = /(?:^|\/)knexfile\.\w+$/;

/** `knex({ client, connection })` in program code, and the same object in a module's or a function's settings. */
export const knexSource: Detector = {
  name: NAME,
  looksFor: ['{ client, connection } of knex in the usual scripts, and in those that package.json names'],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    const seen = new Set<string>();
    for (const app of await project.apps(signal)) {
      // What the knexfile says is what such a program is made with.
      if (app.items.some(({ name }) => KNEXFILE.test(name))) continue;
      for (const name of await scriptFiles(app, LIBRARY, signal)) {
        if (seen.has(app.path(name)) || KNEXFILE.test(name)) continue;
        seen.add(app.path(name));
        await readFile(app, name, collector, signal);
      }
    }
    return collector.detection;
  },
};

async function readFile(app: AppFolder, name: string, collector: Collector, signal: AbortSignal): Promise<void> {
  const read = await app.read(name);
  if (read.state !== 'text' || !SPEAKS.test(read.text) || !/\bclient\b/.test(read.text)) return;
  const environment = await app.project.environment(app, signal);
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  const { evaluator, file } = code;
  const described = keyedLiteralsWith(code.program, 'client', () => true).flatMap(({ key, object }) => {
    const client = wordOf(evaluator, object.entries.get('client'));
    const kind = client === undefined ? undefined : engineKindOf(client);
    const connection = object.entries.get('connection');
    return kind === undefined || connection === undefined ? [] : [{ key, object, kind, connection }];
  });
  const isOwn = ({ key }: { readonly key: string }): boolean => environmentInName(key) === '';
  // Of several only running code says which one is used.
  const undecided = described.filter(isOwn).length > 1 ? { undecided: true as const } : {};
  for (const { key, object, kind, connection } of described) {
    const what = key === '' ? 'default' : key;
    const place = { what, file, line: object.line, environment: environmentInName(key), ...undecided };
    const folder = kind === 'sqlite' ? app.absolute() : undefined;
    await addConnection(collector, app, evaluator, place, { kind, object: connection, names: SCRIPT_FIELDS, folder });
  }
}
