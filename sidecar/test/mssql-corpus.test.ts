import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import { classify } from '../src/engines/mssql/classify.ts';
import { mssqlLab } from './helpers/mssql-lab.ts';
import { CAPS, patience, peerSession } from './helpers/mssql-peer.ts';

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

  it('is long enough to mean something', () => {
    expect(corpus.statements.length).toBeGreaterThan(60);
  });

  it('reaches the server with its reads alone', async () => {
    const at = await peerSession(() => []);
    ended = at.end;
    for (const { sql } of corpus.statements) {
      await at.session.read(sql, CAPS, patience()).catch(() => undefined);
    }
    const sent = new Set(
      at.peer.transcript.filter(({ event }) => event === 'batch' || event === 'rpc').map(({ text }) => text),
    );
    expect(corpus.statements.filter(({ sql, effect }) => effect !== 'read' && sent.has(sql))).toEqual([]);
  });
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
      await at.session.read(sql, CAPS, patience()).catch(() => undefined);
    }
    expect(await state()).toEqual(before);
    await at.drop();
  });
});
