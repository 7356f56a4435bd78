import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { PeerRequest, PeerStep } from '../../fixtures/tds-peer/index.ts';
import type { Session } from '../src/engines/engine.ts';
import { classify } from '../src/engines/mssql/judge.ts';
import { open } from '../src/engines/mssql/session.ts';
import { engineContext } from './helpers/engine-target.ts';
import { mssqlLab } from './helpers/mssql-lab.ts';
import { CAPS, patience, peerSession, targetOf } from './helpers/mssql-peer.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf } from './helpers/statements.ts';

const corpus = z
  .object({
    README: z.string(),
    schema: z.array(z.string()),
    state: z.array(z.string()),
    statements: z.array(
      z.object({ sql: z.string(), effect: z.enum(['read', 'write', 'refused']), note: z.string().optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../fixtures/corpus/mssql.json'), 'utf8')));

let ended: (() => Promise<void>) | undefined;

afterEach(async () => {
  await ended?.();
  ended = undefined;
});

describe('the corpus', () => {
  test.each(corpus.statements.map(({ sql, effect }) => [effect, sql] as const))('%s: %j', (effect, sql) => {
    expect(classify(sql).effect).toBe(effect);
  });

  it('is long enough to be meaningful', () => {
    expect(corpus.statements.length).toBeGreaterThan(350);
  });

  it('sends the server only its reads, through every tool, and as the first call', async () => {
    const runsAll = ({ sql }: PeerRequest): PeerStep[] | undefined => (all.has(sql) ? [{ count: 1 }] : undefined);
    const all = new Set(corpus.statements.map(({ sql }) => sql));
    const at = await peerSession(runsAll);
    ended = at.end;
    const sink = { write: async () => undefined };
    const tools: readonly ((session: Session, sql: string) => Promise<unknown>)[] = [
      (session, sql) => readOf(session, sql, CAPS, patience()),
      (session, sql) => readOf(session, sql, CAPS, patience(), {}),
      (session, sql) => explainOf(session, sql, false, patience()),
      (session, sql) => explainOf(session, sql, true, patience()),
      (session, sql) => exportOf(session, sql, 'csv', sink, patience()),
      (session, sql) => checkOf(session, sql, patience()),
      (session, sql) => previewOf(session, sql, patience()),
    ];
    for (const [index, { sql }] of corpus.statements.entries()) {
      const session = open(targetOf(at.peer.port), engineContext());
      // Each statement starts its session with a different tool.
      for (let turn = 0; turn < tools.length; turn += 1) {
        await tools[(index + turn) % tools.length]?.(session, sql).catch(() => undefined);
      }
      await session.end();
    }
    const { committed, ran } = at.peer.ledger;
    expect(committed).toEqual([]);
    // The engine itself sends these too.
    const own = new Set(['', 'SET NOEXEC OFF', 'SET SHOWPLAN_XML OFF']);
    const refused = new Set(
      corpus.statements.filter(({ sql, effect }) => effect === 'refused' && !own.has(sql)).map(({ sql }) => sql),
    );
    expect(at.peer.transcript.filter(({ text }) => refused.has(text))).toEqual([]);
    // A write is run only by the dry run, in a transaction.
    const writes = new Set(corpus.statements.filter(({ effect }) => effect === 'write').map(({ sql }) => sql));
    const tried = at.peer.transcript.filter(({ text }) => writes.has(text) && ran.includes(text));
    expect(tried.every(({ transactions }) => transactions === 1)).toBe(true);
  }, 180_000);

  it('changes nothing on a server that ignores the modes in which nothing runs', async () => {
    const all = new Set(corpus.statements.map(({ sql }) => sql));
    const at = await peerSession(({ sql }) => (all.has(sql) ? [{ count: 1 }] : undefined), { ignoresModes: true });
    ended = at.end;
    for (const { sql } of corpus.statements.filter(({ effect }) => effect !== 'refused')) {
      await explainOf(at.session, sql, false, patience()).catch(() => undefined);
      await checkOf(at.session, sql, patience()).catch(() => undefined);
    }
    expect(at.peer.ledger).toMatchObject({ ran: [], committed: [] });
  }, 180_000);
});

describe('the corpus on a SQL Server', () => {
  const { it } = suiteOn('mssql');

  it('leaves the database as it was', async () => {
    const lab = await mssqlLab();
    assertMade(lab);
    const at = await lab.database(corpus.schema);
    const state = (): Promise<unknown> => Promise.all(corpus.state.map((sql) => at.rows(sql)));
    const before = await state();
    for (const { sql } of corpus.statements) {
      await readOf(at.session, sql, CAPS, patience()).catch(() => undefined);
    }
    expect(await state()).toEqual(before);
    await at.drop();
  });
});
