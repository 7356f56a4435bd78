import { Session as Inspector } from 'node:inspector/promises';
import type { Caps, EngineKind, ExportSink, PreparedStatement, Session, Statement } from '../src/engines/engine.ts';
import { enginesUnderTest, type OpenedShop, type StartedEngine } from './helpers/engines-under-test.ts';

/** A function by its name and a part of its file's path. None that is async: each time it goes on would count. */
interface Counted {
  readonly file: string;
  readonly name: string;
}

/** What reads a statement's text in order to judge it, in this process. */
const JUDGES: Readonly<Record<EngineKind, Counted>> = {
  sqlite: { file: 'sqlite/judge', name: 'classify' },
  mysql2: { file: 'mysql/judge.', name: 'judge' },
  postgres: { file: 'libpg-query', name: 'parseSync' },
  mssql: { file: 'mssql/judge', name: 'classify' },
};

/** What the server is asked before a read: to open its transaction, or what its names stand for; and how often. */
const BEGINNINGS: Readonly<Partial<Record<EngineKind, Counted & { readonly times: number }>>> = {
  // The transaction is opened in the same exchange.
  postgres: { file: 'postgres/guard', name: 'beginGuarded', times: 0 },
  mysql2: { file: 'mysql/read', name: 'findingOf', times: 1 },
};

const CAPS: Caps = { rows: 10, bytes: 10_000, cellBytes: 1_000 };
const SINK: ExportSink = { write: async () => undefined };
const READ = 'SELECT id FROM customers WHERE id = 1';
const signal = (): AbortSignal => AbortSignal.timeout(30_000);

/** How often a function is called while something is done, by the count of the JavaScript engine itself. */
async function callsOf({ file, name }: Counted, work: () => Promise<unknown>): Promise<number> {
  const inspector = new Inspector();
  inspector.connect();
  try {
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Taking the counts sets them back: what ran before does not count.
    await inspector.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await inspector.post('Profiler.takePreciseCoverage');
    const counts = result
      .filter(({ url }) => url.includes(file))
      .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
      .map(({ ranges }) => ranges[0]?.count ?? 0);
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    await inspector.post('Profiler.stopPreciseCoverage');
    inspector.disconnect();
  }
}

function mayRun(statement: Statement): PreparedStatement {
  if (statement.effect === 'refused') throw new Error(statement.reason);
  return statement;
}

/** Every way to run a statement, each from a handle of its own. */
const WAYS: readonly (readonly [string, (session: Session) => Promise<unknown>])[] = [
  ['a read', async (session) => mayRun(await session.prepare(READ, signal())).read(CAPS, signal())],
  ['an export', async (session) => mayRun(await session.prepare(READ, signal())).export('csv', SINK, signal())],
  ['a plan', async (session) => mayRun(await session.prepare(READ, signal())).explain(false, signal())],
  [
    'a change that is checked, previewed and run',
    async (session) => {
      const statement = mayRun(await session.prepare('DELETE FROM customers WHERE id = -1', signal()));
      await statement.check(signal());
      await statement.preview(signal());
      await statement.write(CAPS, 0, signal());
    },
  ],
  [
    'a read that fails for a name',
    async (session) => {
      const statement = mayRun(await session.prepare('SELECT nam FROM customers', signal()));
      await expect(statement.read(CAPS, signal())).rejects.toMatchObject({ code: 'E_SQL' });
    },
  ],
];

describe.each(enginesUnderTest(process.env))('$name', (engine) => {
  let running: StartedEngine;
  let shop: OpenedShop;

  beforeAll(async () => {
    running = await engine.start();
  });
  beforeEach(async () => {
    shop = await running.open();
  });
  afterEach(() => shop.close());
  afterAll(() => running.stop());

  test.each(WAYS)('judges the text of %s once', async (_way, run) => {
    // What the first one learns about the server is no part of it.
    await run(shop.session);
    expect(await callsOf(JUDGES[engine.kind], () => run(shop.session))).toBe(1);
  });

  const beginning = BEGINNINGS[engine.kind];
  if (beginning === undefined) return;

  test('asks the server no more than it has to about what was read before', async () => {
    const read = async () => mayRun(await shop.session.prepare(READ, signal())).read(CAPS, signal());
    await read();
    expect(await callsOf(beginning, read)).toBe(beginning.times);
  });
});
