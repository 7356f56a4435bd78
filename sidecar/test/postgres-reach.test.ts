import { CorpusFolder } from './helpers/corpus-folder.ts';
import { type PostgresLab, postgresLab } from './helpers/postgres-lab.ts';
import { makeReach, reachCorpus, runPlain, runReached } from './helpers/postgres-reach.ts';
import { readerRole } from './helpers/postgres-reader.ts';

/** Code of somebody's own, reached in every way that Postgres has, and never run before somebody has agreed. */
let lab: (PostgresLab & { readonly superuser: NonNullable<PostgresLab['superuser']> }) | undefined;
let folder: CorpusFolder;

beforeAll(async () => {
  folder = new CorpusFolder();
  const made = await postgresLab();
  if (made?.superuser === undefined) return made?.remove();
  lab = { ...made, superuser: made.superuser };
  const refused = await makeReach(made.superuser, folder, made.ask);
  // A server without an extension or a feature of the newest version has less to hide code behind.
  expect(refused.length).toBeLessThan(10);
}, 240_000);

afterAll(async () => {
  await lab?.remove();
  folder.remove();
});

describe('code behind what a statement reaches on Postgres', () => {
  it('has a corpus of attempts, and one of ordinary statements', () => {
    expect(new Set(reachCorpus.reached).size).toBeGreaterThan(230);
    expect(new Set(reachCorpus.plain).size).toBeGreaterThan(75);
  });

  it('does what it says: it leaves a file when it runs', async () => {
    if (lab === undefined) return;
    await lab.ask('SELECT * FROM v_deeper', lab.superuser);
    await lab.ask('SELECT * FROM program_rows', lab.superuser);
    expect([...folder.files()].sort()).toEqual(['program_rows', 'says_volatile']);
    folder.empty();
  });

  it('does not run for an ordinary role', async () => {
    if (lab === undefined) return;
    expect(await runReached(lab.target, lab.superuser, folder)).toEqual([]);
  }, 400_000);

  it('does not run for a superuser', async () => {
    if (lab === undefined) return;
    expect(await runReached(lab.superuser, lab.superuser, folder)).toEqual([]);
  }, 400_000);

  it('does not run for the role of devdb role, and leaves it its ordinary statements', async () => {
    if (lab === undefined) return;
    const reader = await readerRole(lab.superuser, lab.ask);
    try {
      expect(await runReached(reader.target, lab.superuser, folder)).toEqual([]);
      expect(await runPlain(reader.target, folder)).toEqual([]);
    } finally {
      await reader.drop();
    }
  }, 400_000);

  it('leaves ordinary statements the reads that they are', async () => {
    if (lab === undefined) return;
    expect(await runPlain(lab.target, folder)).toEqual([]);
    expect(await runPlain(lab.superuser, folder)).toEqual([]);
  }, 120_000);
});
