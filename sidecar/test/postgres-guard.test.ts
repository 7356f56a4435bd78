import pg from 'pg';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { ServerTarget } from '../src/engines/engine.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { CorpusFolder } from './helpers/corpus-folder.ts';
import { engineContext } from './helpers/engine-target.ts';
import { postgresCorpus, postgresState, runPostgresCorpus } from './helpers/postgres-corpus.ts';
import { type PostgresLab, postgresLab } from './helpers/postgres-lab.ts';
import { readOf } from './helpers/statements.ts';

const { it } = suiteOn('postgres');
const { it: itAsSuperuser } = suiteOn('postgres', 'superuser');

const CAPS = { rows: 100, bytes: 100_000, cellBytes: 4096 };

let lab: PostgresLab | undefined;
let folder: CorpusFolder;

beforeAll(async () => {
  folder = new CorpusFolder();
  lab = await postgresLab();
  for (const sql of postgresCorpus.schema) await lab?.ask(sql);
}, 120_000);

afterAll(async () => {
  await lab?.remove();
  folder.remove();
});

describe('a read on Postgres', () => {
  test('has a corpus of bypass attempts', () => {
    expect(postgresCorpus.statements.length).toBeGreaterThan(150);
  });

  it('changes nothing as an ordinary role, whatever the statement is', async () => {
    assertMade(lab);
    const { target, superuser = target } = lab;
    const at = lab;
    const problems = await runPostgresCorpus(target, folder, () => postgresState(at, superuser, folder));
    expect(problems).toEqual([]);
  }, 240_000);

  itAsSuperuser(
    'changes nothing as a superuser either',
    async () => {
      assertMade(lab);
      assertMade(lab.superuser);
      const { superuser, ask } = lab;
      const at = lab;
      const problems = await runPostgresCorpus(superuser, folder, async () =>
        JSON.stringify([
          await postgresState(at, superuser, folder),
          await ask('SELECT count(*) FROM pg_file_settings', superuser),
        ]),
      );
      expect(problems).toEqual([]);
    },
    240_000,
  );

  it('delivers no notification that a view sends', async () => {
    assertMade(lab);
    const { host, port, user, password, database } = lab.target;
    const listener = new pg.Client({ host, port, user, password: password?.open(), database });
    await listener.connect();
    await listener.query('LISTEN channel');
    const heard: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      listener.on('notification', ({ payload }) => {
        heard.push(payload);
        if (payload === 'end') resolve();
      });
    });
    const session = postgresEngine.open(lab.target, engineContext());
    expect((await readOf(session, 'SELECT * FROM telling_view', CAPS, AbortSignal.timeout(10_000))).kind).toBe(
      'is-write',
    );
    await session.end();
    await lab.ask("NOTIFY channel, 'end'");
    await done;
    await listener.end();
    expect(heard).toEqual(['end']);
  }, 60_000);

  itAsSuperuser(
    'reports the guard truthfully: enforced for an ordinary role, guarded for a superuser',
    async () => {
      assertMade(lab);
      assertMade(lab.superuser);
      const strength = async (target: ServerTarget): Promise<string> => {
        const session = postgresEngine.open(target, engineContext());
        await session.facts(AbortSignal.timeout(10_000));
        await session.end();
        return session.guard.strength;
      };
      expect(await strength(lab.target)).toBe('enforced');
      expect(await strength(lab.superuser)).toBe('guarded');
    },
    60_000,
  );
});
