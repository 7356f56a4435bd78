import type { AppFolder } from '../app-folder.ts';
import { CodeFile } from '../code-file.ts';
import { Collector } from '../collector.ts';
import { type FieldNames, wordOf } from '../connection-fields.ts';
import type { Detector } from '../detector.ts';
import { addPhpConnection } from '../php-connection.ts';
import type { Expr } from '../readers/code/expression.ts';
import { exported } from '../readers/code/program.ts';

const NAME = 'magento';
const FILE_2 = 'app/etc/env.php';
const FILE_1 = 'app/etc/local.xml';
const FIELDS: FieldNames = {
  host: ['host'],
  port: ['port'],
  user: ['username'],
  password: ['password'],
  database: ['dbname'],
};
const CDATA = /^<!\[CDATA\[([^\]]*)\]\]>$/;

/** The database of a Magento shop: version 2, and version 1 with its successors. */
export const magento: Detector = {
  name: NAME,
  looksFor: [FILE_2, FILE_1],
  async detect(project, signal) {
    const collector = new Collector(NAME);
    for (const app of await project.apps(signal)) {
      if (!app.has('app')) continue;
      const code = await CodeFile.read(app, FILE_2, 'php', await project.environment(app, signal), collector);
      if (code === undefined) await readVersion1(app, collector);
      else await readVersion2(code, collector);
    }
    return collector.detection;
  },
};

async function readVersion2(code: CodeFile, collector: Collector): Promise<void> {
  const { evaluator } = code;
  const database = evaluator.field(exported(code.program) ?? { kind: 'unreadable', line: 1 }, 'db');
  const all = database && evaluator.field(database, 'connection');
  const resolved = all && evaluator.resolve(all);
  for (const [what, written] of resolved?.kind === 'object' ? resolved.entries : []) {
    const place = { what, file: code.file, line: written.line, rank: what === 'default' ? 0 : 1 };
    const object = withPort(written, wordOf(evaluator, evaluator.field(written, 'host')));
    await addPhpConnection(code, collector, place, { object, names: FIELDS, driver: [], otherwise: 'mysql2' });
  }
}

/** The port follows the host in one text. */
function withPort(object: Expr, text: string | undefined): Expr {
  const [, host, port] = /^([^:/]*):(\d+)$/.exec(text ?? '') ?? [];
  if (host === undefined || port === undefined) return object;
  const { line } = object;
  const entries = new Map<string, Expr>([
    ['host', { kind: 'value', line, value: host }],
    ['port', { kind: 'value', line, value: port }],
  ]);
  return { kind: 'object', line, entries, spreads: [object], overrides: [] };
}

/** Version 1 keeps one connection in XML, each value in an element of its own. */
async function readVersion1(app: AppFolder, collector: Collector): Promise<void> {
  const file = app.path(FILE_1);
  const text = await collector.textOf(app, file);
  if (text === undefined) return;
  const value = (name: string): string => {
    const start = text.indexOf(`<${name}>`);
    const end = start === -1 ? -1 : text.indexOf(`</${name}>`, start);
    const inside = end === -1 ? '' : text.slice(start + name.length + 2, end).trim();
    return CDATA.exec(inside)?.[1] ?? inside;
  };
  const line = text.slice(0, Math.max(0, text.indexOf('<dbname>'))).split('\n').length;
  const [, host = value('host'), port] = /^([^:/]*):(\d+)$/.exec(value('host')) ?? [];
  const place = { what: 'default', file, line };
  collector.server(app, place, {
    kind: 'mysql2',
    host,
    port,
    user: value('username'),
    password: value('password'),
    database: value('dbname'),
  });
}
