import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as z from 'zod';
import { type BoundStatement, unbound, writtenIndex } from './bound-statement.ts';
import type { Bindings, Judgement } from './engine.ts';
import { bindNames as bindMssql } from './mssql/bind.ts';
import { ready as readyMssql } from './mssql/judge.ts';
import { bindNames as bindMysql } from './mysql/bind.ts';
import { ready as readyMysql } from './mysql/judge.ts';
import { bindNames as bindPostgres } from './postgres/bind.ts';
import { ready as readyPostgres } from './postgres/judge.ts';
import { loadGrammar } from './postgres/sql-tree.ts';

beforeAll(() => loadGrammar());

const PARAMS: Bindings = {
  id: { type: 'integer', value: 1 },
  name: { type: 'string', value: "' OR 1=1 -- :id" },
  idle: { type: 'boolean', value: null },
};

interface Dialect {
  readonly name: string;
  readonly bind: (sql: string, params: Bindings) => BoundStatement;
  /** Matches what a placeholder becomes. */
  readonly mark: RegExp;
  /** Strings, quoted names and comments, in full. */
  readonly opaque: readonly ((inner: string) => string)[];
}

const doubled =
  (open: string, close = open) =>
  (inner: string) =>
    open + inner.replaceAll(close, close + close) + close;
const line = (inner: string): string => `-- ${inner.replaceAll(/[\r\n\v\f\u0085\u2028\u2029]/g, ' ')}\n`;
const block = (inner: string): string => `/* ${inner.replaceAll(/[*/!]/g, ' ')} */`;

const DIALECTS: readonly Dialect[] = [
  {
    name: 'Postgres',
    bind: bindPostgres,
    mark: /^\$\d+$/,
    opaque: [
      doubled("'"),
      // Postgres does not accept an empty quoted name.
      (inner) => doubled('"')(`q${inner}`),
      line,
      block,
      (inner) => `/* ${block(inner)} ${block(':id')} */`,
      (inner) => `$$${inner.replaceAll('$', ' ')}$$`,
      (inner) => `$q$${inner.replaceAll('$', ' ')}$q$`,
      (inner) => `E'${inner.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
    ],
  },
  {
    name: 'MySQL',
    bind: bindMysql,
    mark: /^\?$/,
    opaque: [
      (inner) => doubled("'")(inner.replaceAll('\\', '')),
      (inner) => doubled('"')(inner.replaceAll('\\', '')),
      doubled('`'),
      line,
      block,
      (inner) => `# ${inner.replaceAll('\n', ' ')}\n`,
    ],
  },
  {
    name: 'SQL Server',
    bind: bindMssql,
    mark: /^@devdb_\d+$/,
    opaque: [
      doubled("'"),
      (inner) => `N${doubled("'")(inner)}`,
      doubled('"'),
      doubled('[', ']'),
      line,
      block,
      (inner) => `/* ${block(inner)} ${block(':id')} */`,
    ],
  },
];

const INNER = fc
  .array(
    fc.constantFrom(
      ':id',
      ':name',
      '::',
      ':',
      "'",
      '"',
      '`',
      ']',
      '[',
      '$1',
      '?',
      '@id',
      ' ',
      'é',
      '👩‍💻',
      'x',
      '--',
      '\\',
      ';',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
const PLAIN = fc.constantFrom('SELECT', '1', '(', ')', ',', '=', '<>', 'a.b', 'WHERE', '+', '*');
const PLACE = fc.constantFrom(...Object.keys(PARAMS)).map((name) => `:${name}`);

describe.each(DIALECTS)('names of values for $name', ({ bind, mark, opaque }) => {
  type Piece = { readonly text: string; readonly isPlace: boolean };
  const opaquePiece = fc
    .tuple(fc.constantFrom(...opaque), INNER)
    .map(([quote, inner]): Piece => ({ text: quote(inner), isPlace: false }));
  const piece = fc.oneof(
    opaquePiece,
    PLAIN.map((text): Piece => ({ text, isPlace: false })),
    PLACE.map((text): Piece => ({ text, isPlace: true })),
  );

  it('are replaced, and everything else stays exactly as it was', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const sql = pieces.map(({ text }) => text).join(' ');
        const bound = bind(sql, PARAMS);
        expect(bound.problem).toBeUndefined();
        let at = 0;
        for (const { text, isPlace } of pieces) {
          const found = isPlace ? (/^\S+/.exec(bound.text.slice(at))?.[0] ?? '') : text;
          if (isPlace) expect(found).toMatch(mark);
          else expect(bound.text.slice(at, at + text.length)).toBe(text);
          at += found.length + 1;
        }
        expect(bound.text.slice(at)).toBe('');
        const names = pieces.flatMap(({ text, isPlace }) => (isPlace ? [text.slice(1)] : []));
        expect(bound.values.map(({ name }) => name)).toEqual(names);
      }),
      { numRuns: 300 },
    );
  });

  it('without a value are reported, whatever else is there', () => {
    fc.assert(
      fc.property(fc.array(opaquePiece, { maxLength: 5 }), (pieces) => {
        const sql = [...pieces.map(({ text }) => text), ':nobody'].join(' ');
        expect(bind(sql, PARAMS)).toMatchObject({
          text: sql,
          values: [],
          problem: expect.stringMatching(/^:nobody is/),
        });
      }),
    );
  });

  it('end where the engine ends a name, and never start after a word, a bracket or a colon', () => {
    const { values } = bind('SELECT a[1:id], b::id, c:id, (d):id', PARAMS);
    expect(values).toEqual([]);
    expect(bind('SELECT :id-:idle,:id_more', PARAMS).problem).toMatch(/^:id_more is/);
    expect(bind('SELECT :idé', PARAMS).problem).toMatch(/^:idé is/);
    expect(bind('SELECT :constructor', PARAMS).problem).toMatch(/^:constructor is/);
  });

  it('in text that cannot be read stay unchanged', () => {
    const sql = "SELECT :id, 'never closed";
    expect(bind(sql, PARAMS)).toMatchObject({ text: sql, values: [] });
  });
});

describe('text that MySQL may read in two ways', () => {
  it.each([
    ["SELECT '\\' + :id -- '\n"],
    ['SELECT "\\" + :id -- "\n'],
    ['SELECT /*! :id */ 1'],
    ['SELECT /*!50000 :id + */ 1'],
    ['SELECT /*M! :id + */ 1'],
    ['SELECT :id, ?'],
  ])('is not bound: %s', (sql) => {
    expect(bindMysql(sql, PARAMS).problem).toEqual(expect.any(String));
  });

  it('is bound when both readings have the same names', () => {
    expect(bindMysql("SELECT 'a\\\\b', :id", PARAMS)).toMatchObject({ text: "SELECT 'a\\\\b', ?", problem: undefined });
  });
});

describe('a statement of the corpora with a value in place of a literal', () => {
  const SEVERITY = { read: 0, write: 1, refused: 2 } as const;
  const VALUE: Bindings = { v: { type: 'string', value: 'x' } };
  const judges: Readonly<Record<string, (sql: string) => Judgement>> = {
    postgres: (sql) => {
      const statement = readyPostgres(bindPostgres(sql, VALUE));
      // What the grammar cannot parse is only sent to be compiled, and refused there.
      const isUnread = statement.effect !== 'refused' && statement.node === undefined;
      return isUnread ? { effect: 'refused', verb: '', reason: '' } : statement;
    },
    mysql: (sql) => readyMysql(bindMysql(sql, VALUE)),
    mssql: (sql) => readyMssql(bindMssql(sql, VALUE)),
  };
  const corpus = z.object({ statements: z.array(z.object({ sql: z.string() })) });

  it.each(Object.entries(judges))('is judged no more leniently on %s', (kind, judge) => {
    const file = join(__dirname, '../../../fixtures/corpus', `${kind}.json`);
    const { statements } = corpus.parse(JSON.parse(readFileSync(file, 'utf8')));
    let judged = 0;
    // With backslashes, what looks like a literal here may not be one.
    for (const { sql } of statements.filter((one) => !one.sql.includes('\\'))) {
      for (const literal of [/N?'(?:[^']|'')*'/, /\b\d+\b/]) {
        const bound = sql.replace(literal, ':v');
        if (bound === sql) continue;
        judged += 1;
        if (SEVERITY[judge(bound).effect] < SEVERITY[judge(sql).effect])
          throw new Error(`${bound} is milder than ${sql}`);
      }
    }
    expect(judged).toBeGreaterThan(50);
  });
});

describe('writtenIndex', () => {
  it('maps each position in the sent text back to where it was written', () => {
    const bound = bindMssql('SELECT :id + x, :name , y', PARAMS);
    const back = (piece: string): string => bound.written.slice(writtenIndex(bound, bound.text.indexOf(piece)));
    expect(back('SELECT')).toBe(bound.written);
    expect(back('@devdb_1')).toBe(':id + x, :name , y');
    expect(back('devdb_2')).toBe(':name , y');
    expect(back('x,')).toBe('x, :name , y');
    expect(back(', y')).toBe(', y');
  });

  it('changes nothing where nothing is bound', () => {
    expect(writtenIndex(unbound('SELECT 1'), 5)).toBe(5);
  });
});
