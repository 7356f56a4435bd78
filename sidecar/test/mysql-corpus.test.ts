import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { CorpusFolder } from './helpers/corpus-folder.ts';
import { engineContext } from './helpers/engine-target.ts';
import { makeMysqlCorpus, runMysqlCorpus } from './helpers/mysql-corpus.ts';
import { MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';

describe.each(MYSQL_KINDS)('a statement of the corpus, run as a read on %s,', (kind) => {
  const { it } = suiteOn(kind);
  const { it: itAsRoot } = suiteOn(kind, 'superuser');
  let lab: MysqlLab | undefined;
  let folder: CorpusFolder;

  beforeAll(async () => {
    folder = new CorpusFolder();
    lab = await mysqlLab(kind);
    if (lab !== undefined) await makeMysqlCorpus(lab, folder);
  });

  afterAll(async () => {
    await lab?.remove();
    folder.remove();
  });

  it('changes nothing for an ordinary user, whose guard is enforced', async () => {
    assertMade(lab);
    expect(await runMysqlCorpus(lab, lab.target, folder)).toEqual([]);
    const session = mysqlEngine.open(lab.target, engineContext());
    await session.facts(AbortSignal.timeout(20_000));
    if (lab.superuser !== undefined) expect(session.guard.strength).toBe('enforced');
    await session.end();
  }, 180_000);

  itAsRoot(
    'changes nothing for root, whose guard says what to do',
    async () => {
      assertMade(lab);
      assertMade(lab.superuser);
      expect(await runMysqlCorpus(lab, lab.superuser, folder)).toEqual([]);
      const session = mysqlEngine.open(lab.superuser, engineContext());
      await session.facts(AbortSignal.timeout(20_000));
      expect(session.guard).toEqual({ strength: 'guarded', reason: expect.stringContaining('devdb role --print') });
      await session.end();
    },
    180_000,
  );
});
