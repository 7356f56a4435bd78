import { createConnection } from 'mysql2/promise';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import { BY_NAME, BY_WORD, BY_WORD_AND_PARENTHESIS, type CallForm, isBuiltIn } from '../src/engines/mysql/functions.ts';
import { MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';

const NAMES = [...BY_NAME, ...BY_WORD, ...BY_WORD_AND_PARENTHESIS];
const WRITTEN: Readonly<Record<CallForm, (name: string) => string>> = {
  tight: (name) => `${name}()`,
  spaced: (name) => `${name} ()`,
  quoted: (name) => `\`${name}\`()`,
};
const FORMS = ['tight', 'spaced', 'quoted'] as const;

describe.each(MYSQL_KINDS)('a function that is not looked up on %s', (kind) => {
  const { it } = suiteOn(kind);
  let lab: MysqlLab | undefined;

  beforeAll(async () => {
    lab = await mysqlLab(kind);
  });

  afterAll(async () => {
    await lab?.remove();
  });

  async function stolen(names: readonly string[], sqlMode: string, mayBeStolen: typeof isBuiltIn): Promise<string[]> {
    assertMade(lab);
    const { host, port, user, password, database } = lab.target;
    const options = { host, port, user, password: password?.open() ?? '', database, rowsAsArray: true };
    const connection = await createConnection({ ...options, flags: ['-IGNORE_SPACE'] });
    const found: string[] = [];
    try {
      await connection.query(`SET sql_mode = '${sqlMode}'`);
      for (const name of names) {
        await connection.query(`CREATE FUNCTION \`${name}\`() RETURNS varchar(9) NO SQL RETURN 'stored'`);
        for (const form of FORMS.filter((one) => mayBeStolen(name, one))) {
          const [rows] = await connection.query(`SELECT ${WRITTEN[form](name)}`).catch(() => [[]]);
          if (JSON.stringify(rows) === '[["stored"]]') found.push(WRITTEN[form](name));
        }
        await connection.query(`DROP FUNCTION \`${name}\``);
      }
    } finally {
      await connection.end();
    }
    return found;
  }

  it('is the server’s own, even if a stored function has its name', async () => {
    expect(await stolen(NAMES, '', (name, form) => isBuiltIn(name, form))).toEqual([]);
  }, 300_000);

  it('is the server’s own after a space too where sql_mode says so', async () => {
    const words = [...BY_WORD_AND_PARENTHESIS];
    expect(await stolen(words, 'IGNORE_SPACE', (name, form) => isBuiltIn(name, form, true))).toEqual([]);
  }, 120_000);

  it('is looked up in each form in which a stored function can take its place', async () => {
    const words = [...BY_WORD_AND_PARENTHESIS].filter(
      (name) => !['session_user', 'sysdate', 'system_user'].includes(name),
    );
    const all = words.flatMap((name) => [WRITTEN.spaced(name), WRITTEN.quoted(name)]);
    expect(await stolen(words, '', (name, form) => !isBuiltIn(name, form))).toEqual(all);
  }, 120_000);
});
