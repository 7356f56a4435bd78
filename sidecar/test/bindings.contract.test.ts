import { AppError } from '@devdb/shared/errors';
import type { Binding, Bindings, Caps, RowSet } from '../src/engines/engine.ts';
import { type EngineUnderTest, enginesUnderTest } from './helpers/engines-under-test.ts';
import { sharedShop } from './helpers/shared-shop.ts';
import { checkOf, judgementOf, previewOf, readOf, writeOf } from './helpers/statements.ts';

/** What every engine guarantees about bound values, on the shop of fixtures/sql. */
const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };

const integer = (value: number | null): Binding => ({ type: 'integer', value });
const string = (value: string | null): Binding => ({ type: 'string', value });

for (const engine of enginesUnderTest(process.env)) describe(engine.name, () => binds(engine));

function binds(engine: EngineUnderTest): void {
  const shop = sharedShop(engine);
  const signal = (): AbortSignal => AbortSignal.timeout(30_000);

  async function read(sql: string, params?: Bindings): Promise<RowSet['rows']> {
    const outcome = await readOf(shop.session, sql, CAPS, signal(), params);
    if (outcome.kind !== 'rows') throw new Error(`${outcome.verb} is no read`);
    return outcome.rows.rows;
  }

  async function names(where: string, params: Bindings): Promise<unknown[]> {
    return (await read(`SELECT name FROM customers WHERE ${where} ORDER BY id`, params)).flat();
  }

  test('values of each type arrive in a read', async () => {
    expect(await names('id = :id', { id: integer(2) })).toEqual(['Bob "the builder"']);
    expect(await names('name = :name', { name: string('Ann') })).toEqual(['Ann']);
    expect(await names('balance < :top', { top: { type: 'number', value: 10.5 } })).toEqual(['Ann', 'Çağla 👩‍💻']);
    expect(await names('active = :flag', { flag: { type: 'boolean', value: false } })).toEqual(['Bob "the builder"']);
    expect(await names('loyalty_id = :id', { id: integer(Number.MAX_SAFE_INTEGER) })).toEqual([]);
  });

  test('NULL of each type arrives, and a parameter may appear twice', async () => {
    const where = '(:name IS NULL OR name = :name)';
    expect(await names(where, { name: string(null) })).toHaveLength(4);
    expect(await names(where, { name: string('Ann') })).toEqual(['Ann']);
    expect(await names('(:id IS NULL OR id = :id)', { id: integer(null) })).toHaveLength(4);
    expect(await names('id = :id', { id: integer(null) })).toEqual([]);
  });

  test('names with the same prefix are kept apart, and an unused value is ignored', async () => {
    const params = { id: integer(1), id2: integer(3), id_: integer(9), unused: string('x') };
    expect(await names('id IN (:id, :id2,:id_)', params)).toEqual(['Ann', 'Çağla 👩‍💻']);
    expect(await names('id = 1', params)).toEqual(['Ann']);
  });

  test('what looks like a parameter in a string or a comment is not one', async () => {
    const sql = "SELECT ':id', name /* :id */ FROM customers WHERE id = :id AND name <> '::id' -- :id";
    expect(await read(sql, { id: integer(1) })).toEqual([[':id', 'Ann']]);
  });

  test.each([
    ["' OR 1=1 -- "],
    ["'; DELETE FROM order_lines; -- "],
    ['\\'],
    ["\\' OR 1=1 -- "],
    [':id'],
    ['$1'],
    ['?'],
    ['@p1'],
    ["x' UNION SELECT email FROM customers -- "],
  ])('a value never becomes SQL: %s', async (value) => {
    expect(await names('name = :name', { name: string(value) })).toEqual([]);
    expect(await read('SELECT count(*) AS n FROM order_lines')).toEqual([[4]]);
  });

  test('a text of any characters arrives unchanged', async () => {
    const texts = [
      "it's",
      '"',
      '`',
      '%_',
      'Çağla 👩‍💻',
      'line\nbreak\r\ttab',
      '\u0001\u2028',
      '',
      ' ',
      '-- x',
      '/*',
      'x'.repeat(5_000),
    ];
    for (const text of texts) {
      const same = 'SELECT :text AS t';
      expect(await read(same, { text: string(text) })).toMatchObject([
        [text.length > CAPS.cellBytes ? expect.any(String) : text],
      ]);
      expect(await names(':text = :again AND id = 1', { text: string(text), again: string(text) })).toEqual(['Ann']);
    }
  });

  test('a NUL in a text arrives, or is reported by the engine', async () => {
    const params = { text: string('a\0b') };
    const sql = 'SELECT :text AS t';
    if (engine.kind !== 'postgres') expect(await read(sql, params)).toEqual([['a\0b']]);
    else await expect(read(sql, params)).rejects.toMatchObject({ code: 'E_SQL', details: { engineCode: '22021' } });
  });

  test('numbers keep every digit, and whole numbers beyond a double arrive as text', async () => {
    const one = async (type: Binding['type'], value: Binding['value']): Promise<unknown> =>
      (await read('SELECT name FROM customers WHERE loyalty_id = :v', { v: { type, value } }))[0]?.[0];
    expect(await one('string', '9223372036854775807')).toBe('Ann');
    expect(await one('integer', '9223372036854775807')).toBe('Ann');
    expect(await one('string', '9223372036854775806')).toBeUndefined();
    expect(await one('integer', '9007199254740993')).toBe('Bob "the builder"');
    expect(await one('integer', '9007199254740992')).toBeUndefined();
    expect(await one('integer', '-9223372036854775808')).toBe('Çağla 👩‍💻');
    expect(await names('balance = :v', { v: { type: 'number', value: 10.25 } })).toEqual(['Ann']);
    expect(await names(':v > 1.5e299', { v: { type: 'number', value: 2e299 } })).toHaveLength(4);
    expect(
      await names(':v BETWEEN 0.3 AND 0.30000000000001', { v: { type: 'number', value: 0.1 + 0.2 } }),
    ).toHaveLength(4);
  });

  test('dates are compared as dates, and one name may be used for NULL, a date and a text', async () => {
    const where = '(:since IS NULL OR placed_at >= :since)';
    const placed = async (since: string | null): Promise<number> =>
      (await read(`SELECT id FROM orders WHERE ${where}`, { since: string(since) })).length;
    expect([await placed(null), await placed('2024-02-01'), await placed('2999-01-01')]).toEqual([3, 2, 0]);
  });

  test('a value can limit rows and be grouped by', async () => {
    const first = engine.firstOf('id', 'FROM customers ORDER BY id');
    expect(await read(first, { most: integer(2) })).toEqual([[1], [2]]);
    // Not every dialect can group by an alias, but all allow grouping over a derived table.
    const marked = 'SELECT CASE WHEN id < :edge THEN :low ELSE :high END AS m FROM customers';
    const sql = `SELECT m, count(*) AS n FROM (${marked}) AS marked GROUP BY m ORDER BY m`;
    const params = { edge: integer(2), low: string('a'), high: string('b') };
    expect(await read(sql, params)).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
  });

  test('a mistake is reported at its position in the statement as written', async () => {
    const sql = "SELECT id FROM customers WHERE id = :a_rather_long_name AND name <> 'Çağla' ORDERED BY id";
    const failed = await checkOf(shop.session, sql, signal(), { a_rather_long_name: integer(1) }).catch(
      (error: unknown) => error,
    );
    if (!(failed instanceof AppError)) throw new Error('The check let it pass.');
    const { position = [...sql].indexOf('O') } = failed.details ?? {};
    expect([...sql].slice(Number(position) - 1).join('')).toMatch(/^(ORDERED )?BY id$/);
  });

  test('the kind of the statement is judged with its values', async () => {
    const params = { id: integer(1) };
    expect(await judgementOf(shop.session, 'SELECT id FROM customers WHERE id = :id', params)).toMatchObject({
      effect: 'read',
      verb: 'SELECT',
    });
    expect(await judgementOf(shop.session, 'DELETE FROM customers WHERE id = :id', params)).toMatchObject({
      effect: 'write',
      verb: 'DELETE',
    });
  });

  /** Refused before it is sent, or by a server for which some of these marks are operators or names. */
  async function neverRuns(sql: string, params?: Bindings): Promise<void> {
    await expect(checkOf(shop.session, sql, signal(), params)).rejects.toMatchObject({ code: 'E_SQL' });
    await expect(read(sql, params)).rejects.toMatchObject({ code: 'E_SQL' });
  }

  test.each([
    ['SELECT id FROM customers WHERE id = :other'],
    ['SELECT id FROM customers WHERE id = :Id'],
    ['SELECT id FROM customers WHERE id = :id; DELETE FROM customers WHERE id = :id'],
  ])('a name without a value and a second statement are refused: %s', async (sql) => {
    expect(await judgementOf(shop.session, sql, { id: integer(1) })).toMatchObject({ effect: 'refused' });
    await neverRuns(sql, { id: integer(1) });
  });

  // On SQL Server $1 is a money literal.
  const numbered = engine.kind === 'mssql' ? '@p1' : '$1';
  test.each([
    ['SELECT id FROM customers WHERE id = ?'],
    ['SELECT id FROM customers WHERE id = :id AND id = ?'],
    [`SELECT id FROM customers WHERE id = ${numbered}`],
    [`SELECT id FROM customers WHERE id = :id AND id = ${numbered}`],
  ])('a placeholder of another kind gets no value: %s', (sql) => neverRuns(sql, { id: integer(1) }));

  test('a parameter without any values never runs', () => neverRuns('SELECT :id'));

  test('a write sent as a read changes nothing', async () => {
    const params = { id: integer(1) };
    const outcome = await readOf(shop.session, 'DELETE FROM order_lines WHERE order_id = :id', CAPS, signal(), params);
    expect(outcome).toMatchObject({ kind: 'is-write' });
    expect(await read('SELECT count(*) AS n FROM order_lines')).toEqual([[4]]);
  });

  describe('a write', () => {
    shop.withOwnShop();

    test('is checked, counted without a trace, and run with its values', async () => {
      const sql = 'UPDATE order_lines SET quantity = :quantity WHERE order_id = :id';
      const params = { quantity: integer(7), id: integer(1) };
      await checkOf(shop.session, sql, signal(), params);
      expect(await previewOf(shop.session, sql, signal(), params)).toMatchObject({ affectedRows: 2 });
      const quantities = 'SELECT quantity FROM order_lines ORDER BY order_id, line_no';
      expect((await read(quantities)).flat()).toEqual([2, 10, 1, 1]);
      expect(await writeOf(shop.session, sql, CAPS, 3, signal(), params)).toEqual({
        kind: 'count-differs',
        affectedRows: 2,
      });
      expect(await writeOf(shop.session, sql, CAPS, 2, signal(), params)).toMatchObject({
        kind: 'done',
        rows: { affectedRows: 2 },
      });
      expect((await read(quantities)).flat()).toEqual([7, 7, 1, 1]);
    });

    test('that cannot be dry-run is described by an estimate, with values too', async () => {
      const sql =
        "INSERT INTO customers (id, email, name) SELECT :id, 'new@example.com', max(name) FROM orders, customers";
      const told = await previewOf(shop.session, `${sql} WHERE placed_at > CURRENT_TIMESTAMP`, signal(), {
        id: integer(9),
      });
      expect(told.affectedRows === undefined ? told.estimate : '').toEqual(expect.any(String));
      expect(await names('id = :id', { id: integer(9) })).toEqual([]);
    });
  });

  test("a mistake is reported in the engine's own words", async () => {
    const params = { id: integer(1) };
    await expect(
      checkOf(shop.session, 'SELECT nmae FROM customers WHERE id = :id', signal(), params),
    ).rejects.toMatchObject({ code: 'E_SQL' });
    await expect(read('SELECT id FROM custmers WHERE id = :id', params)).rejects.toMatchObject({
      code: 'E_UNKNOWN_TABLE',
    });
  });
}
