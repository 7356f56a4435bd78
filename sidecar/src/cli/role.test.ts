import { isPlain } from '@devdb/shared/plain-text';
import fc from 'fast-check';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import { tokenize as tokenizeTsql } from '../engines/mssql/tokenize.ts';
import { tokenize as tokenizeMysql } from '../engines/mysql/tokenize.ts';
import { loadGrammar, wordsOf } from '../engines/postgres/sql-tree.ts';
import { UsageError } from './command.ts';
import { roleText, subjectIn, subjectOf } from './role.ts';

const never = new AbortController().signal;

function script(kind: Parameters<typeof subjectOf>[0], database: string, name: string, schemas?: string[]): string {
  return roleText(subjectOf(kind, database), { name, schemas });
}

/** Names that a script accepts and that every engine allows. */
const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc
      .array(fc.constantFrom(...'\'"`][$;%,_:@'.split(''), '$devdb$', '%I', '--', '/*', '*/', ' ', 'ö', ':x', "''"), {
        minLength: 1,
        maxLength: 8,
      })
      .map((parts) => `n${parts.join('')}n`),
  )
  .filter((name) => name.trim() === name && name !== '' && name.isWellFormed())
  // Invisible characters are refused, which has its own test.
  .filter((name) => isPlain(name) && !name.includes('\\') && Buffer.byteLength(name) <= 60)
  .filter((name) => [...name].length <= 32);

/** A script without its quoted parts; statements inside string literals count too. */
const OUTLINES = {
  postgres: (sql: string): unknown[] =>
    wordsOf(sql).flatMap(({ text }) => {
      const [, body] = /^\$\w*\$([\s\S]*)\$\w*\$$/.exec(text) ?? [];
      if (body !== undefined) return OUTLINES.postgres(body);
      return text.startsWith('"') ? ['quoted'] : /^E?'/.test(text) ? ['string'] : [text];
    }),
  mysql2: (sql: string): unknown[] => {
    const read = tokenizeMysql(sql, { ansiQuotes: false, backslashEscapes: true });
    if (!read.ok) return [read];
    return read.tokens.flatMap(({ kind, text }) => {
      const [, inner] = /^'((?:GRANT|CREATE) [\s\S]*)'$/.exec(text) ?? [];
      if (inner !== undefined) return OUTLINES.mysql2(inner.replaceAll("''", "'").replaceAll('\\\\', '\\'));
      return [kind === 'quoted' || kind === 'string' ? kind : text];
    });
  },
  mssql: (sql: string): unknown[] => {
    const read = tokenizeTsql(sql);
    if (!read.ok) return [read];
    return read.tokens.map(({ kind, text }) => (kind === 'quoted' || kind === 'string' ? kind : text));
  },
} as const;

describe.each(['postgres', 'mysql2', 'mssql'] as const)('the script for %s', (kind) => {
  beforeAll(() => loadGrammar());

  it('has the same structure whatever the names are', () => {
    const outline = (...args: [string, string, string[]?]): unknown => OUTLINES[kind](script(kind, ...args));
    const [plain, some, aPattern] = [outline('db', 'r'), outline('db', 'r', ['s']), outline('d_b', 'r')];
    fc.assert(
      fc.property(anyName, anyName, anyName, (database, name, schema) => {
        expect(outline('db', name)).toEqual(plain);
        expect(outline(database, 'r')).toEqual(/[_%]/.test(database) ? aPattern : plain);
        if (kind !== 'mysql2') expect(outline('db', 'r', [schema])).toEqual(some);
      }),
    );
  });

  it('has a place for the password and contains none', () => {
    const text = script(kind, 'db', 'r');
    expect(text).toMatch(/(SET @password = ''|constant text := ''|nvarchar\(128\) = N'');/);
    expect(text).toContain('Nothing was done: write a password into this script first');
    expect(text).toContain(`"password":"$${'{DB_PASSWORD}'}"`);
  });

  it('refuses names that a reader of the script could not see', () => {
    for (const name of ['a\nDROP', 'a\u202eb', 'a\0', '\ud800', 'a\u2028b', '']) {
      expect(() => script(kind, 'db', name)).toThrow(UsageError);
      expect(() => script(kind, name, 'r')).toThrow(UsageError);
      expect(() => script(kind, 'db', 'r', [name])).toThrow(UsageError);
    }
    expect(() => script(kind, 'db', 'x'.repeat(129))).toThrow(/is longer than/);
  });

  it('says what it grants and what it does not', () => {
    const [head = ''] = script(kind, 'db', 'r').split('\n\n');
    expect(head.split('\n').every((line) => line.startsWith('--'))).toBe(true);
    expect(head).toMatch(/It gets: [\s\S]*It (does not get|is denied): [\s\S]*To run it: /);
  });
});

describe('the script for SQL Server', () => {
  it('quotes a name for its context: as a name, as text, and as a name inside text', () => {
    const text = script('mssql', "d]b'", "r]'x");
    expect(text).toContain("USE [d]]b'];");
    expect(text).toContain("IF SUSER_ID(N'r]''x') IS NULL");
    expect(text).toContain("N'CREATE LOGIN [r]]''x] WITH PASSWORD = N'''");
    expect(text).toContain("N''', DEFAULT_DATABASE = [d]]b''], CHECK_POLICY = ON;'");
    expect(text).toContain("REPLACE(@password, N'''', N'''''')");
    expect(text).toContain("CREATE USER [r]]'x] FOR LOGIN [r]]'x];");
  });

  it('is one batch that ends at its first error', () => {
    const text = script('mssql', 'db', 'r');
    expect(text.split(/^GO$/m)).toHaveLength(2);
    expect(text).toMatch(/\n\nSET NOCOUNT, XACT_ABORT ON;\n/);
  });

  it('grants only reading, and denies the rest', () => {
    const all = script('mssql', 'db', 'r');
    expect(all.match(/^(GRANT|DENY|ALTER ROLE) .*$/gm)).toEqual([
      'ALTER ROLE [db_datareader] ADD MEMBER [r];',
      'GRANT VIEW DEFINITION TO [r];',
      'GRANT SHOWPLAN TO [r];',
      'DENY INSERT, UPDATE, DELETE, ALTER, TAKE OWNERSHIP TO [r];',
    ]);
    expect(all).toContain("N'DENY EXECUTE ON SCHEMA::' + QUOTENAME(s.name) + N' TO [r]; '");
    expect(script('mssql', 'db', 'r', ['a', 'b]']).match(/^(GRANT|ALTER ROLE) .*$/gm)).toEqual([
      'GRANT SELECT, VIEW DEFINITION ON SCHEMA::[a] TO [r];',
      'GRANT SELECT, VIEW DEFINITION ON SCHEMA::[b]]] TO [r];',
      'GRANT SHOWPLAN TO [r];',
    ]);
  });
});

describe('the database that a role is for', () => {
  let project: FixtureProject;

  beforeEach(() => {
    project = new FixtureProject();
  });

  afterEach(() => project.remove());

  function settings(...entries: readonly object[]): void {
    project.write('.devdbrc', JSON.stringify(entries));
  }

  const SHOP = { type: 'postgres', name: 'shop', username: 'app', database: 'shop', port: 5433 };

  it("is the project's default, with its server and the schemas from its options", async () => {
    settings({ ...SHOP, options: { currentSchema: 'sales,"$user",public' } }, { ...SHOP, name: 'other' });
    const subject = await subjectIn(project.book(), undefined, never);
    expect(subject).toMatchObject({ kind: 'postgres', database: 'shop', port: 5433, applicationUser: 'app' });
    const text = roleText(subject, { name: 'r', schemas: undefined });
    expect(text).toContain('GRANT SELECT ON ALL TABLES IN SCHEMA "sales", "public" TO "r";');
    expect(text).toContain("OR r.rolname = 'app'");
    expect(text).toContain('Keep the options');
    expect(roleText(subject, { name: 'r', schemas: ['x'] })).toContain('IN SCHEMA "x" TO "r";');
  });

  it('is another one by id or name, even one that is not approved', async () => {
    settings(SHOP, { ...SHOP, name: 'far', host: 'db.example.com', database: 'faraway' });
    const book = project.book();
    for (const id of ['devdbrc:far', 'far']) {
      expect(await subjectIn(book, id, never)).toMatchObject({ database: 'faraway', host: 'db.example.com' });
    }
    await expect(subjectIn(book, 'nope', never)).rejects.toMatchObject({
      code: 'E_NO_CONNECTION',
      hint: expect.stringContaining('devdbrc:far'),
    });
  });

  it('has to be chosen when every one needs approval', async () => {
    settings({ ...SHOP, host: 'a.example.com' });
    expect(await subjectIn(project.book(), undefined, never)).toMatchObject({ host: 'a.example.com' });
    settings({ ...SHOP, host: 'a.example.com' }, { ...SHOP, name: 'b', host: 'b.example.com' });
    await expect(subjectIn(project.book(), undefined, never)).rejects.toMatchObject({
      hint: 'Choose one with --connection: devdbrc:shop, devdbrc:b.',
    });
  });

  it('is not guessed for an unknown name', async () => {
    settings({ ...SHOP, database: `$${'{SHOP_DATABASE}'}` });
    await expect(subjectIn(project.book(), undefined, never)).rejects.toMatchObject({
      message: expect.stringContaining('SHOP_DATABASE'),
    });
    settings({ ...SHOP, password: `$${'{SHOP_PASSWORD}'}` });
    expect(await subjectIn(project.book(), undefined, never)).toMatchObject({ database: 'shop' });
  });

  it("is not given the application's own user", async () => {
    settings(SHOP);
    const subject = await subjectIn(project.book(), undefined, never);
    expect(() => roleText(subject, { name: 'app', schemas: undefined })).toThrow(
      'the application connects as this role',
    );
  });

  it('needs no role when it is a file', async () => {
    project.database('app.db');
    const subject = await subjectIn(project.book(), undefined, never);
    const text = roleText(subject, { name: 'r', schemas: undefined });
    expect(text).toMatch(/^-- SQLite has no users and no roles/);
    expect(text.split('\n').every((line) => line.startsWith('-- '))).toBe(true);
  });
});
