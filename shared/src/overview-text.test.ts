import fc from 'fast-check';
import { overviewText } from './overview-text.ts';

type Overview = Parameters<typeof overviewText>[0];
type Table = Overview['tables'][number];

const shop: Overview = {
  tables: [
    {
      name: 'customers',
      kind: 'table',
      columns: ['id INTEGER PK', 'email TEXT NOT NULL UNIQUE'],
      rows: 4,
      atMost: true,
    },
    {
      name: 'orders',
      kind: 'table',
      columns: [
        'id INTEGER PK',
        'customer_id INTEGER NOT NULL',
        'product_id INTEGER',
        'status TEXT',
        'deleted_at TEXT',
      ],
      rows: 3,
      softDelete: ['deleted_at'],
      kinds: ['status'],
      comment: 'what was bought',
    },
    {
      name: 'order_lines',
      kind: 'table',
      columns: ['order_id INTEGER PK', 'line_no INTEGER PK'],
      columnCount: 9,
      rows: null,
    },
    {
      name: 'order_statuses',
      kind: 'table',
      columns: ['code TEXT PK', 'label TEXT'],
      rows: 2,
      lookup: true,
      lookupRows: {
        columns: ['code', 'label'],
        rows: [
          ['new', 'New'],
          ['x', null],
        ],
      },
    },
    { name: 'totals', kind: 'view', columns: ['euros DECIMAL(10, 2)'], rows: null, definition: 'SELECT 1\nFROM t' },
    { name: 'Customer Notes', kind: 'table', columns: ['"customer id" int'], rows: 0, indexes: ['UNIQUE ix (a, b)'] },
  ],
  foreignKeys: [
    'orders(customer_id) -> customers(id)',
    'order_lines(order_id) -> orders(id)',
    'order_lines(order_id, line_no) -> gone',
    '"Customer Notes"("customer id") -> customers(id)',
  ],
  guessedKeys: ['orders(product_id) -> products(id)'],
  truncated: true,
  more: '1 tables are listed with their key columns alone.',
};

test('an overview is a line for each table, with its keys beside its columns and who points to it below', () => {
  expect(overviewText(shop).split('\n')).toEqual([
    '~ marks a guessed key: named like one, not declared',
    'customers <=4: id INTEGER PK, email TEXT NOT NULL UNIQUE',
    '  <- orders, "Customer Notes"',
    'orders ~3: id INTEGER PK, customer_id INTEGER NOT NULL -> customers(id), product_id INTEGER ~> products(id), status TEXT [codes], deleted_at TEXT [soft delete]',
    '  # what was bought',
    '  <- order_lines',
    'order_lines 9 columns: order_id INTEGER PK -> orders(id), line_no INTEGER PK',
    '  (order_id, line_no) -> gone',
    'order_statuses ~2 lookup: code TEXT PK, label TEXT',
    '  ["code","label"]',
    '  ["new","New"]',
    '  ["x",null]',
    'totals (view): euros DECIMAL(10, 2)',
    '  as ="SELECT 1\\nFROM t"',
    '"Customer Notes" ~0: "customer id" int -> customers(id)',
    '  index UNIQUE ix (a, b)',
    'truncated: 1 tables are listed with their key columns alone.',
  ]);
});

test('tables that refer to a named one are listed with their columns', () => {
  const referencedBy = ['invoices(customer_no) -> customers(email)', 'quotes(customer_no) -> customers(email)'];
  const guessedKeys = ['notes(customer_id) -> customers(id)'];
  const [customers] = shop.tables;
  const tables = customers === undefined ? [] : [customers];
  const text = overviewText({ tables, foreignKeys: [], guessedKeys, referencedBy, truncated: false });
  expect(text.split('\n')).toEqual([
    '~ marks a guessed key: named like one, not declared',
    'customers <=4: id INTEGER PK, email TEXT NOT NULL UNIQUE',
    '  (email) <- invoices(customer_no), quotes(customer_no)',
    '  (id) <~ notes(customer_id)',
  ]);
});

test('a table in short does without the tables that point to it: they say so themselves', () => {
  const tables = [
    { name: 'customers', kind: 'table', columns: ['id INTEGER PK'], columnCount: 9, rows: 4 },
    { name: 'orders', kind: 'table', columns: ['customer_id INTEGER'], rows: 3 },
  ];
  const foreignKeys = ['orders(customer_id) -> customers(id)'];
  expect(overviewText({ tables, foreignKeys, truncated: false }).split('\n')).toEqual([
    'customers ~4 9 columns: id INTEGER PK',
    'orders ~3: customer_id INTEGER -> customers(id)',
  ]);
});

test('a database without tables says so', () => {
  expect(overviewText({ tables: [], foreignKeys: [], truncated: false })).toBe('no tables');
});

/** Reads the lines back, by nothing but what they say. */
function decoded(text: string): unknown {
  const overview: Lists = { tables: [], foreignKeys: [], guessedKeys: [], referencedBy: [] };
  const rest: Record<string, unknown> = { truncated: false };
  const lines = text.split('\n');
  const hasGuesses = lines[0]?.startsWith('~ marks ') === true;
  let written = '';
  for (const line of hasGuesses ? lines.slice(1) : lines) {
    const table = overview.tables.at(-1);
    if (line.startsWith('  ') && table !== undefined) {
      readBelow(line.slice(2), table, written, overview);
      continue;
    }
    const section =
      /^(keys|guessed|referenced by|unknown|truncated|more|link for the user, up to a table's name): (.*)$/.exec(line);
    if (line === 'no tables') continue;
    if (line === 'truncated') rest['truncated'] = true;
    else if (section === null) written = readTable(line, overview);
    else readSection(section[1] ?? '', section[2] ?? '', overview, rest);
  }
  return {
    tables: overview.tables,
    foreignKeys: overview.foreignKeys,
    ...(hasGuesses ? { guessedKeys: overview.guessedKeys } : {}),
    ...(overview.referencedBy.length === 0 ? {} : { referencedBy: overview.referencedBy }),
    ...rest,
  };
}

type Mutable = { -readonly [Key in keyof Table]: Table[Key] };
interface Lists {
  readonly tables: Mutable[];
  readonly foreignKeys: string[];
  readonly guessedKeys: string[];
  readonly referencedBy: string[];
}

const meant = (text: string): string => (text.startsWith('=') ? JSON.parse(text.slice(1)) : text);

/** Whether a name in JSON is one in a statement as well. */
function isWritten(shown: string, name: string): boolean {
  return shown.startsWith('"') && `"${name.replaceAll('"', '""')}"` === shown;
}

/** Splits where no parentheses and no JSON are open. */
function splitAt(text: string, separators: readonly string[]): string[] {
  const parts: string[] = [''];
  for (let at = 0; at < text.length; ) {
    const json = parts.at(-1) === '' ? /^="(?:[^"\\]|\\.)*"/.exec(text.slice(at))?.[0] : undefined;
    const inside = /^\([^()]*\)/.exec(text.slice(at))?.[0];
    const separator = separators.find((one) => text.startsWith(one, at));
    const piece = json ?? inside ?? (separator === undefined ? (text[at] ?? '') : '');
    parts[parts.length - 1] += piece;
    if (piece === '') parts.push('');
    at += piece === '' ? (separator?.length ?? 1) : piece.length;
  }
  return parts;
}

function readTable(line: string, { tables, foreignKeys, guessedKeys }: Lists): string {
  const head =
    /^("(?:[^"\\]|\\.)*"|\S+?)(?: as (.+?))?(?: \(([^()]+)\))?(?: (~|<=)(\d+))?( lookup)?(?: (\d+) columns)?(?:: (.*))?$/.exec(
      line,
    );
  if (head === null) throw new Error(`unreadable: ${line}`);
  const [, shown = '', as, kind = 'table', sign, rows, lookup, count, columns] = head;
  const name = shown.startsWith('"') ? JSON.parse(shown) : shown;
  // In double quotes it stands as keys write it, too.
  const written = as ?? (isWritten(shown, name) ? shown : name);
  const table: Mutable = { name, kind, columns: [], rows: rows === undefined ? null : Number(rows) };
  if (sign === '<=') table.atMost = true;
  if (lookup !== undefined) table.lookup = true;
  if (count !== undefined) table.columnCount = Number(count);
  const softDelete: string[] = [];
  const kinds: string[] = [];
  const texts: string[] = [];
  for (const entry of columns === undefined ? [] : splitAt(columns, [', '])) {
    const json = /^="(?:[^"\\]|\\.)*"/.exec(entry)?.[0];
    const from = json?.length ?? 0;
    const ends = [' [', ' -> ', ' ~> '].map((mark) => entry.indexOf(mark, from)).filter((at) => at >= 0);
    const bracket = splitAt(entry.slice(from), [' [', ' -> ', ' ~> '])[0] ?? '';
    const own = json === undefined ? bracket : json;
    const tail = entry.slice(own.length);
    expect(ends.length === 0 && tail !== '').toBe(false);
    const value = meant(own);
    const column = /^(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[(?:[^\]]|\]\])*\]|[^\s"`[]+)(?= |$)/.exec(value)?.[0] ?? '';
    texts.push(value);
    if (tail.startsWith(' [soft delete]')) softDelete.push(column);
    if (/^(?: \[soft delete\])? \[codes\]/.test(tail)) kinds.push(column);
    const keys = tail.replace(/^(?: \[soft delete\])?(?: \[codes\])?/, '');
    const arrows = [...keys.matchAll(/ (->|~>) ((?:[^()~-]|-(?!>)|~(?!>)|\([^()]*\))+?)(?= -> | ~> |$)/g)];
    for (const [, arrow, target] of arrows) {
      (arrow === '->' ? foreignKeys : guessedKeys).push(`${written}(${column}) -> ${target}`);
    }
  }
  tables.push({
    ...table,
    columns: texts,
    ...(softDelete.length > 0 ? { softDelete } : {}),
    ...(kinds.length > 0 ? { kinds } : {}),
  });
  return written;
}

function readBelow(
  line: string,
  table: Mutable,
  written: string,
  { foreignKeys, guessedKeys, referencedBy }: Lists,
): void {
  const key = /^\(([^()]*)\) (->|~>) (.*)$/.exec(line);
  const incoming = /^(\([^()]*\) )?<([-~]) (.*)$/.exec(line);
  if (key !== null) (key[2] === '->' ? foreignKeys : guessedKeys).push(`${written}(${key[1]}) -> ${key[3]}`);
  else if (line.startsWith('# ')) table.comment = meant(line.slice(2));
  else if (incoming !== null) {
    const target = `${written}${incoming[1]?.trimEnd() ?? ''}`;
    const from = splitAt(incoming[3] ?? '', [', ']).filter((part) => part.endsWith(')'));
    (incoming[2] === '-' ? referencedBy : guessedKeys).push(...from.map((part) => `${part} -> ${target}`));
  } else if (line.startsWith('soft delete: '))
    table.softDelete = [...(table.softDelete ?? []), ...splitAt(line.slice(13), [', ']).map(meant)];
  else if (line.startsWith('codes: '))
    table.kinds = [...(table.kinds ?? []), ...splitAt(line.slice(7), [', ']).map(meant)];
  else if (line.startsWith('index ')) table.indexes = [...(table.indexes ?? []), meant(line.slice(6))];
  else if (line.startsWith('as ')) table.definition = meant(line.slice(3));
  else if (line.startsWith('rows: ')) table.lookupRows = { error: meant(line.slice(6)) };
  else if (line.startsWith('cut ') && table.lookupRows !== undefined)
    table.lookupRows = { ...table.lookupRows, cut: JSON.parse(line.slice(4)) };
  else if (table.lookupRows !== undefined && 'rows' in table.lookupRows)
    table.lookupRows = { ...table.lookupRows, rows: [...table.lookupRows.rows, JSON.parse(line)] };
  else table.lookupRows = { columns: JSON.parse(line), rows: [] };
}

function readSection(section: string, said: string, lists: Lists, rest: Record<string, unknown>): void {
  if (section === 'keys') lists.foreignKeys.push(meant(said));
  else if (section === 'guessed') lists.guessedKeys.push(meant(said));
  else if (section === 'referenced by') lists.referencedBy.push(meant(said));
  else if (section === 'unknown') rest['unknown'] = JSON.parse(said);
  else if (section.startsWith('link ')) rest['tableLink'] = meant(said);
  else {
    rest['more'] = meant(said);
    if (section === 'truncated') rest['truncated'] = true;
  }
}

/** Keys stand at their tables: their order says nothing. */
function sorted(value: unknown): unknown {
  const overview: Record<string, unknown> = JSON.parse(JSON.stringify(value));
  for (const list of ['foreignKeys', 'guessedKeys', 'referencedBy']) {
    const texts = overview[list];
    if (Array.isArray(texts)) texts.sort();
  }
  const { tables } = overview;
  for (const table of Array.isArray(tables) ? tables : []) {
    table.softDelete?.sort();
    table.kinds?.sort();
  }
  return overview;
}

test('an overview can be read back from its text', () => {
  expect(sorted(decoded(overviewText(shop)))).toEqual(sorted(shop));
});

describe('whatever the names and texts', () => {
  const plain = fc.constantFrom(
    'id',
    'customer_id',
    'status',
    'orders',
    'customers',
    'a',
    'keys',
    'truncated',
    'naïve',
    'x$1',
  );
  const odd = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.constantFrom(
      'a, b',
      'x -> y(z)',
      '=',
      'a ~> b',
      'a [codes]',
      '(',
      'a: b',
      'line\nbreak',
      '"q"',
      ' lead',
      '1',
      'as x',
      'b ~3',
    ),
  );
  const name = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: odd });
  const written = name.map((own) => (/^[a-z_]+$/.test(own) ? own : `"${own.replaceAll('"', '""')}"`));
  const column = fc
    .tuple(written, fc.constantFrom('', ' INTEGER', ' DECIMAL(10, 2) NOT NULL', " enum('a, b','(')", ' TEXT PK'))
    .map(([own, type]) => own + type);
  const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
    fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [key]: one }));
  const some = (of: fc.Arbitrary<string>) => fc.uniqueArray(of, { minLength: 1, maxLength: 3 });
  const table = fc
    .tuple(
      fc.record({
        name,
        kind: fc.constantFrom('table', 'view', 'virtual table'),
        columns: fc.array(column, { maxLength: 4 }),
        rows: fc.option(fc.nat()),
      }),
      optional('comment', odd),
      optional('lookup', fc.constant(true)),
      optional('columnCount', fc.nat()),
      optional('softDelete', some(written)),
      optional('kinds', some(written)),
      optional('indexes', some(odd)),
      optional('definition', odd),
      optional(
        'lookupRows',
        fc.oneof(
          fc.record({ error: odd }),
          fc.record({
            columns: fc.array(name),
            rows: fc.array(fc.array(fc.oneof(fc.constant(null), fc.nat(), odd)), { maxLength: 2 }),
          }),
        ),
      ),
    )
    .map((parts): Table => Object.assign({}, ...parts));
  const key = fc
    .tuple(written, fc.array(written, { minLength: 1, maxLength: 2 }), written, fc.array(written, { maxLength: 2 }))
    .map(
      ([from, own, to, theirs]) =>
        `${from}(${own.join(', ')}) -> ${to}${theirs.length === 0 ? '' : `(${theirs.join(', ')})`}`,
    );
  const overview = fc
    .tuple(
      fc.uniqueArray(table, { maxLength: 4, selector: (one) => one.name }),
      fc.uniqueArray(key, { maxLength: 4 }),
      optional('guessedKeys', fc.uniqueArray(key, { minLength: 1, maxLength: 2 })),
      optional('referencedBy', fc.uniqueArray(key, { minLength: 1, maxLength: 2 })),
      fc.boolean(),
      optional('more', odd),
      optional('tableLink', odd),
    )
    .map(
      ([tables, foreignKeys, guessed, referenced, truncated, more, tableLink]): Overview => ({
        tables,
        foreignKeys,
        ...guessed,
        ...referenced,
        truncated,
        ...more,
        ...tableLink,
      }),
    );

  test('it can be read back', () => {
    fc.assert(
      fc.property(overview, (made) => {
        expect(sorted(decoded(overviewText(made)))).toEqual(sorted(made));
      }),
      { numRuns: 300 },
    );
  });
});
