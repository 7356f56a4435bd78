import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { Session } from '../src/engines/engine.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { engineContext } from './helpers/engine-target.ts';
import { MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';
import { judgementOf } from './helpers/statements.ts';

const signal = (): AbortSignal => AbortSignal.timeout(30_000);

describe.each(MYSQL_KINDS)('the schema on %s', (kind) => {
  const { it } = suiteOn(kind);
  let lab: MysqlLab | undefined;
  let session: Session;

  beforeAll(async () => {
    lab = await mysqlLab(kind, ['01-schema.sql', '02-rows.sql']);
    if (lab !== undefined) session = mysqlEngine.open(lab.target, engineContext());
  });

  afterAll(async () => {
    await session?.end();
    await lab?.remove();
  });

  function withLab(run: (lab: MysqlLab) => Promise<void>): () => Promise<void> {
    return async () => {
      assertMade(lab);
      await run(lab);
    };
  }

  it(
    'of every table runs on an empty database and then reads the same',
    withLab(async ({ freshDatabase, ask }) => {
      const names = await ownTables(session);
      const first = new Map<string, string>();
      for (const name of names) first.set(name, await session.schema(name, signal()));
      const copy = await freshDatabase();
      // Views after tables; keys may refer to later tables, and a view to a missing one.
      const texts = [...first].sort(([, a], [, b]) => Number(isView(a)) - Number(isView(b)));
      const runnable = texts.filter(([name]) => name !== 'broken_view').map(([, text]) => text);
      await ask(`SET foreign_key_checks = 0;\n${runnable.join('\n')}`, copy);
      const other = mysqlEngine.open(copy, engineContext());
      try {
        expect(await ownTables(other)).toEqual(names.filter((name) => name !== 'broken_view'));
        for (const [name, text] of texts) {
          if (name !== 'broken_view') expect(await other.schema(name, signal())).toBe(text);
        }
      } finally {
        await other.end();
        await ask(`DROP DATABASE ${copy.database}`);
      }
    }),
    60_000,
  );

  it(
    'contains neither the definer nor the next number, and keeps what only looks like them',
    withLab(async () => {
      const text = await session.schema('customers', signal());
      expect(text).toMatch(/COMMENT='Who buys; AUTO_INCREMENT=7 is never empty';$/);
      expect(text).toContain('`id` bigint');
      expect(text).toMatch(/NOT NULL AUTO_INCREMENT,/);
      expect(text).not.toMatch(/AUTO_INCREMENT=\d{2,}/);
      expect(await session.schema('order_totals', signal())).not.toContain('DEFINER=');
      expect(await session.schema('orders', signal())).toMatch(/CREATE TRIGGER `?orders_touch`? BEFORE UPDATE/);
    }),
  );

  it(
    'is found by name, quoted, in another case and qualified with its database',
    withLab(async ({ target }) => {
      for (const name of ['`odd ``name`` [x]`', 'odd `name` [x]', `${target.database}.orders`, '`orders`', '日本語']) {
        expect(await session.schema(name, signal())).toMatch(/^CREATE TABLE/);
      }
      await expect(session.schema('ordres', signal())).rejects.toMatchObject({
        code: 'E_UNKNOWN_TABLE',
        message: 'No table "ordres".',
        hint: expect.stringContaining('orders'),
      });
    }),
  );

  it(
    'of another database is listed with its name',
    withLab(async ({ freshDatabase, ask }) => {
      const other = await freshDatabase();
      await ask('CREATE TABLE elsewhere (id int PRIMARY KEY)', other);
      const name = `${other.database}.elsewhere`;
      expect(await session.tables(signal())).toContain(name);
      expect(await session.schema(name, signal())).toContain('`elsewhere`');
      const { tables } = await session.overview([name], signal());
      expect(tables).toEqual([
        { name, kind: 'table', columns: [expect.stringMatching(/^id int\S* PK NOT NULL$/)], rows: 0 },
      ]);
      await ask('DROP TABLE elsewhere', other);
    }),
  );

  it(
    'in one answer has columns, keys, comments and the foreign-key graph',
    withLab(async () => {
      const all = await session.overview(undefined, signal());
      const byName = new Map(all.tables.map((table) => [table.name, table]));
      expect(byName.get('customers')).toMatchObject({ kind: 'table', comment: expect.stringContaining('Who buys') });
      expect(byName.get('customers')?.columns[1]).toBe('email varchar(190) NOT NULL UNIQUE');
      expect(byName.get('products')?.columns).toEqual(expect.arrayContaining(['label varchar(110) GENERATED']));
      expect(byName.get('order_totals')).toMatchObject({ kind: 'view', rows: null });
      expect(byName.get('broken_view')).toMatchObject({
        kind: 'view',
        columns: [],
        comment: expect.stringMatching(/\w/),
      });
      expect(all.foreignKeys).toEqual(
        expect.arrayContaining([
          'orders(customer_id) -> customers(id)',
          'shipments(order_id, line_no) -> order_lines(order_id, line_no)',
        ]),
      );
      expect(all.truncated).toBe(false);
      await expect(session.overview(['ordres'], signal())).rejects.toMatchObject({ code: 'E_UNKNOWN_TABLE' });
    }),
  );

  it(
    'is searchable by part of a name, by pattern and by kind',
    withLab(async () => {
      const found = await session.search('*CUSTOMER*', undefined, signal());
      expect(found.matches).toEqual(
        expect.arrayContaining([
          { kind: 'table', name: 'customers' },
          expect.objectContaining({ kind: 'column', name: 'customer_id', table: 'orders' }),
        ]),
      );
      expect((await session.search('order', 'view', signal())).matches).toEqual([
        { kind: 'view', name: 'order_totals' },
      ]);
      const routines = await session.search('*', 'routine', signal());
      expect(routines.matches.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['add_log', 'forget_orders', 'vat']),
      );
      expect(routines.matches.find(({ name }) => name === 'vat')?.type).toMatch(/^function bigint/);
    }),
  );

  const onMariaDb = kind === 'mariadb' ? it : undefined;
  onMariaDb?.(
    'of MariaDB’s sequences makes a sequence',
    withLab(async ({ freshDatabase, ask }) => {
      const own = await freshDatabase();
      await ask('CREATE SEQUENCE numbers START WITH 5 INCREMENT BY 2', own);
      const other = mysqlEngine.open(own, engineContext());
      expect(await other.schema('numbers', signal())).toMatch(
        /^CREATE SEQUENCE `numbers` start with 5 .*increment by 2/i,
      );
      expect(await judgementOf(other, 'SELECT NEXT VALUE FOR numbers')).toMatchObject({
        effect: 'write',
        verb: 'SELECT',
      });
      await other.end();
    }),
  );
});

/** The suite's user sees its other databases too. */
async function ownTables(session: Session): Promise<string[]> {
  return (await session.tables(signal())).filter((name) => !name.startsWith('devdb_'));
}

function isView(text: string): boolean {
  return / VIEW `/.test(text.slice(0, 100));
}
