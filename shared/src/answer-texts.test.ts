import fc from 'fast-check';
import { connectionsText, exportText, planText, schemaText, searchText } from './answer-texts.ts';
import { PLAN_FLAGS, PLAN_OPERATIONS, type PlanNode } from './plans.ts';

const odd = fc.oneof(
  fc.constantFrom(
    'orders',
    'a b',
    'a, b',
    '=x',
    'x: y',
    'a # b',
    '(',
    'a(b, c)',
    'x -> y(z)',
    'two\nlines',
    '"q"',
    ' lead',
    'end ',
    '',
  ),
  fc.string({ maxLength: 8 }),
);
const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [key]: one }));
const clean = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const meant = (text: string): unknown => (text.startsWith('=') ? JSON.parse(text.slice(1)) : text);

const JSON_TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const JSON_ITEM = new RegExp(String.raw`^=(?:${JSON_TEXT}|\{(?:${JSON_TEXT}|[^"}])*\})`);
const JSON_NAME = new RegExp(`^${JSON_TEXT}`);

/** The items of a line: no comma in parentheses or in JSON separates. An item that is none ends them, and is the rest. */
function items(line: string, isJson = [JSON_ITEM], isRest = (_text: string) => false): string[] {
  const parts: string[] = [''];
  for (let at = 0; at < line.length; ) {
    const text = line.slice(at);
    const json = isJson.map((one) => (parts.at(-1) === '' ? one.exec(text)?.[0] : undefined)).find(Boolean);
    if (json === undefined && isRest(text)) return [...parts, text];
    const piece = json ?? /^\([^()]*\)/.exec(text)?.[0] ?? (text.startsWith(', ') ? '' : (line[at] ?? ''));
    parts[parts.length - 1] += piece;
    if (piece === '') parts.push('');
    at += piece === '' ? 2 : piece.length;
  }
  return parts;
}

/** What stands before the first `: `, and what follows. */
function headAndRest(line: string): readonly [string, string] {
  const at = line.indexOf(': ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 2)];
}

describe('search-schema', () => {
  test('reads as a line for each kind and table', () => {
    const matches = [
      { kind: 'table', name: 'customers' },
      { kind: 'table', name: 'odd, name', comment: 'who buys' },
      { kind: 'column', name: 'id', table: 'customers', type: 'INTEGER' },
      {
        kind: 'column',
        name: 'email',
        table: 'customers',
        type: 'DECIMAL(10, 2)',
        comment: 'where to write, and when',
      },
      { kind: 'column', name: 'name', table: 'customers', type: 'TEXT' },
      { kind: 'key', name: 'fk', table: 'orders', type: 'foreign key (customer_id) -> customers(id)' },
      { kind: 'key', name: 'a -> b(c)', table: 'orders', type: 'foreign key' },
    ];
    expect(searchText({ matches, total: 9, truncated: true }).split('\n')).toEqual([
      'table: customers, "odd, name" # who buys',
      'column customers: id INTEGER, email DECIMAL(10, 2) # where to write, and when',
      'column customers: name TEXT',
      'key orders: fk foreign key (customer_id) -> customers(id), "a -> b(c)" foreign key',
      'truncated: 7 of 9',
    ]);
    expect(searchText({ matches: [], total: 0, truncated: false, near: ['customers'] })).toBe(
      'no match\nnear: customers',
    );
  });

  const match = fc
    .tuple(
      fc.record({ kind: fc.constantFrom('table', 'column', 'view', 'routine', 'index', 'key'), name: odd }),
      optional('table', odd),
      optional('type', odd),
      optional('comment', odd),
    )
    .map(([one, table, type, comment]) => ({ ...one, ...table, ...type, ...comment }));
  const search = fc
    .tuple(
      fc.array(match, { maxLength: 5 }),
      fc.boolean(),
      optional('near', fc.array(odd, { minLength: 1, maxLength: 3 })),
    )
    .map(([matches, truncated, near]) => ({
      matches,
      total: matches.length + (truncated ? 3 : 0),
      truncated,
      ...near,
    }));

  function decoded(text: string): unknown {
    const matches: unknown[] = [];
    const rest: Record<string, unknown> = {};
    let total: number | undefined;
    for (const line of text.split('\n')) {
      const json = /^(\w+) (="(?:[^"\\]|\\.)*"): (.*)$/.exec(line);
      const [head, said] = json === null ? headAndRest(line) : [`${json[1]} ${json[2]}`, json[3] ?? ''];
      if (line === 'no match') continue;
      if (head === 'near') rest['near'] = items(said).map(meant);
      else if (head === 'truncated') total = Number(/ of (\d+)$/.exec(said)?.[1]);
      else {
        const parts = items(said, [JSON_ITEM, JSON_NAME], (text) => text.startsWith(' # '));
        const [comment] = parts.filter((part) => part.startsWith(' # '));
        const found = parts.filter((part) => part !== comment).map((one) => readMatch(head, one));
        if (comment !== undefined) Object.assign(found.at(-1) ?? {}, { comment: meant(comment.slice(3)) });
        matches.push(...found);
      }
    }
    return { matches, total: total ?? matches.length, truncated: total !== undefined, ...rest };
  }

  function readMatch(head: string, text: string): object {
    const at = head.indexOf(' ');
    const of = at < 0 ? { kind: head } : { kind: head.slice(0, at), table: meant(head.slice(at + 1)) };
    if (text.startsWith('=')) return { ...of, ...JSON.parse(text.slice(1)) };
    const quoted = JSON_NAME.exec(text)?.[0];
    const [own = ''] = quoted === undefined ? text.split(' ') : [quoted];
    const type = text.length > own.length ? text.slice(own.length + 1) : undefined;
    return { ...of, name: quoted === undefined ? own : JSON.parse(quoted), ...(type === undefined ? {} : { type }) };
  }

  test('can be read back', () => {
    fc.assert(
      fc.property(search, (made) => {
        expect(clean(decoded(searchText(made)))).toEqual(clean(made));
      }),
      { numRuns: 300 },
    );
  });
});

describe('explain-query', () => {
  const plan: PlanNode[] = [
    {
      operation: 'nested loop',
      children: [
        { operation: 'scan', table: 'orders', estimatedRows: 5000, detail: 'SCAN orders', children: [] },
        { operation: 'search', table: 'order lines', index: 'primary key', actualRows: 2, children: [] },
      ],
    },
  ];

  test('reads as a tree of lines with its warnings below', () => {
    const flags = [{ flag: 'full-scan' as const, message: 'Reads all rows of orders.', table: 'orders' }];
    expect(planText({ plan, flags, analyzed: true, measured: { rows: 2, durationMs: 1.5 } }).split('\n')).toEqual([
      'nested loop',
      '  scan on orders ~5000: SCAN orders',
      '  search on "order lines" by primary key =2',
      '! full-scan on orders: Reads all rows of orders.',
      'analyzed: 2 rows in 1.5 ms',
    ]);
  });

  const nodeWith = (children: fc.Arbitrary<PlanNode[]>): fc.Arbitrary<PlanNode> =>
    fc
      .tuple(
        fc.record({ operation: fc.constantFrom(...PLAN_OPERATIONS), children }),
        optional('table', odd),
        optional('index', fc.oneof(odd, fc.constant('primary key'))),
        optional('detail', odd),
        optional('estimatedRows', fc.nat()),
        optional('actualRows', fc.nat()),
      )
      .map(([one, ...more]) => Object.assign({}, one, ...more));
  const leaf = nodeWith(fc.constant([]));
  const branch = nodeWith(fc.array(leaf, { maxLength: 2 }));
  const node = nodeWith(fc.array(fc.oneof(leaf, branch), { maxLength: 2 }));
  const flag = fc
    .tuple(fc.record({ flag: fc.constantFrom(...PLAN_FLAGS), message: odd }), optional('table', odd))
    .map(([one, table]) => ({ ...one, ...table }));
  const measured = fc.record({ rows: fc.nat(), durationMs: fc.nat().map((ms) => ms / 8) });
  const explanation = fc
    .tuple(
      fc.array(node, { maxLength: 2 }),
      fc.array(flag, { maxLength: 2 }),
      fc.boolean(),
      optional('measured', measured),
    )
    .map(([steps, flags, analyzed, ran]) => ({ plan: steps, flags, analyzed, ...ran }));

  const NAME = String.raw`"(?:[^"\\]|\\.)*"|primary key|[\p{L}_][\p{L}\p{N}_.$]*`;
  const STEP = new RegExp(
    `^( *)(${[...PLAN_OPERATIONS].sort((a, b) => b.length - a.length).join('|')})(?: on (${NAME}))?(?: by (${NAME}))?(?: ~([^\\s:]+))?(?: =([^\\s:]+))?(?:: (.*))?$`,
    'u',
  );
  const FLAG = new RegExp(`^! (${PLAN_FLAGS.join('|')})(?: on (${NAME}))?: (.*)$`, 'u');
  const named = (text: string): unknown => (text.startsWith('"') ? JSON.parse(text) : text);

  function decoded(text: string): unknown {
    const steps: unknown[] = [];
    const flags: unknown[] = [];
    const open: unknown[][] = [steps];
    const rest: Record<string, unknown> = { analyzed: false };
    for (const line of text === '' ? [] : text.split('\n')) {
      const ran = /^(analyzed|measured)(?:: (\S+) rows in (\S+) ms)?$/.exec(line);
      const warning = FLAG.exec(line);
      const step = STEP.exec(line);
      if (ran !== null) {
        rest['analyzed'] = ran[1] === 'analyzed';
        if (ran[2] !== undefined) rest['measured'] = { rows: Number(ran[2]), durationMs: Number(ran[3]) };
      } else if (warning !== null) {
        const [, kind, table, message = ''] = warning;
        flags.push({ flag: kind, message: meant(message), ...(table === undefined ? {} : { table: named(table) }) });
      } else if (step !== null) {
        const [, indent = '', operation, table, index, estimated, actual, detail] = step;
        const children: unknown[] = [];
        const depth = indent.length / 2;
        open[depth]?.push({
          operation,
          children,
          ...(table === undefined ? {} : { table: named(table) }),
          ...(index === undefined ? {} : { index: named(index) }),
          ...(estimated === undefined ? {} : { estimatedRows: Number(estimated) }),
          ...(actual === undefined ? {} : { actualRows: Number(actual) }),
          ...(detail === undefined ? {} : { detail: meant(detail) }),
        });
        open.splice(depth + 1, open.length, children);
      } else throw new Error(`unreadable: ${line}`);
    }
    return { plan: steps, flags, ...rest };
  }

  test('can be read back', () => {
    fc.assert(
      fc.property(explanation, (made) => {
        expect(clean(decoded(planText(made)))).toEqual(clean(made));
      }),
      { numRuns: 300 },
    );
  });
});

describe('export-query', () => {
  const made = fc
    .tuple(
      fc.record({
        path: odd,
        rows: fc.nat(),
        bytes: fc.nat(),
        format: fc.constantFrom('csv', 'jsonl'),
        columns: fc.array(odd, { minLength: 1, maxLength: 4 }),
      }),
      optional('totals', fc.dictionary(odd, fc.oneof(fc.nat(), fc.constant('12345678901234567890')))),
      optional('first', odd),
      optional('last', odd),
    )
    .map(([one, ...more]) => Object.assign({}, one, ...more));

  function decoded(text: string): unknown {
    const [head = '', columns = '', ...rest] = text.split('\n');
    const [, rows, bytes, format, path = ''] = /^(\d+) rows, (\d+) bytes, (\w+): (.*)$/.exec(head) ?? [];
    const said = rest.map((line): [string, unknown] => {
      const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
      return [name, name === 'totals' ? JSON.parse(value) : meant(value)];
    });
    const list = items(columns.slice('columns: '.length)).map(meant);
    return {
      path: meant(path),
      rows: Number(rows),
      bytes: Number(bytes),
      format,
      columns: list,
      ...Object.fromEntries(said),
    };
  }

  test('reads as a line for each fact, and can be read back', () => {
    const one = {
      path: 'out/a.csv',
      rows: 2,
      bytes: 30,
      format: 'csv',
      columns: ['id', 'a, b'],
      totals: { id: 3 },
      first: '1,x',
      last: '2,y',
    };
    expect(exportText(one).split('\n')).toEqual([
      '2 rows, 30 bytes, csv: out/a.csv',
      'columns: id, ="a, b"',
      'totals: {"id":3}',
      'first: 1,x',
      'last: 2,y',
    ]);
    fc.assert(
      fc.property(made, (any) => {
        expect(clean(decoded(exportText(any)))).toEqual(clean(any));
      }),
    );
  });
});

test('get-schema is the statement itself, and a comment below says who references the table', () => {
  expect(schemaText({ schema: 'CREATE TABLE t(a);' })).toBe('CREATE TABLE t(a);');
  const referencedBy = ['a(t_id) -> t(id)', '"two\nlines"(x) -> t(id)'];
  expect(schemaText({ schema: 'CREATE TABLE t(id);', referencedBy })).toBe(
    'CREATE TABLE t(id);\n\n-- Referenced by: a(t_id) -> t(id), ="\\"two\\nlines\\"(x) -> t(id)"',
  );
});

test('list-connections is short for the usual database, and says what is not usual', () => {
  const usual = {
    id: 'shop.db',
    name: 'shop.db',
    type: 'sqlite',
    target: 'shop.db',
    source: { file: '.env', line: 3, by: 'dotenv' },
    isDefault: true,
    trusted: true,
    guard: 'enforced',
    guardReason: 'The reason.',
  };
  expect(connectionsText({ connections: [usual], skipped: [] })).toBe(
    '{"connections":[{"id":"shop.db","name":"shop.db","type":"sqlite","target":"shop.db","source":".env:3 (dotenv)","default":true,"reads":"enforced"}]}',
  );
  const other = { ...usual, isDefault: false, trusted: false, needsTrust: 'It is remote.', guard: 'guarded' };
  const skipped = [{ file: 'a.yml', reason: 'It is empty.' }];
  expect(JSON.parse(connectionsText({ connections: [other], skipped }))).toEqual({
    connections: [
      expect.objectContaining({ trusted: false, needsTrust: 'It is remote.', reads: 'guarded: The reason.' }),
    ],
    skipped: [{ at: 'a.yml', reason: 'It is empty.' }],
  });
});
