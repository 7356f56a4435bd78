import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import Database from 'better-sqlite3';
import * as z from 'zod';
import type { Caps, Session } from '../src/engines/engine.ts';
import { sqlite } from '../src/engines/sqlite/session.ts';
import { OWN_TOOLS_AT_ONCE, withDoors } from './helpers/corpus-doors.ts';
import { eachUnchanged } from './helpers/each-unchanged.ts';
import { engineContext } from './helpers/engine-target.ts';
import { sqliteBundle } from './helpers/engines-under-test.ts';
import { type ScratchDatabase, scratchDatabase } from './helpers/sqlite-shop.ts';
import { checkOf, explainOf, exportOf, judgementOf, previewOf, readOf } from './helpers/statements.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
const corpus = z
  .object({
    README: z.string(),
    schema: z.array(z.string()),
    statements: z.array(z.object({ sql: z.string(), effect: z.enum(['read', 'write', 'refused']) })),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../fixtures/corpus/sqlite-objects.json'), 'utf8')));
const soon = () => AbortSignal.timeout(20_000);
/** This many statements are sent between two checks of the files. */
const AT_ONCE = 4;

/** Every file below a folder with its content, as text that shows differences. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length),
      readFileSync(join(parentPath, name), 'base64'),
    ]),
  );
}

function makeOther(folder: string): void {
  const other = new Database(join(folder, 'other.db'));
  other.exec('CREATE TABLE secrets(a)');
  other.close();
}

it('has at least 150 statements, all different', () => {
  const texts = corpus.statements.map(({ sql }) => sql);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThanOrEqual(150);
});

describe('a statement on a schema full of objects, in the engine,', () => {
  let bundle: Awaited<ReturnType<typeof sqliteBundle>>;
  let scratch: ScratchDatabase;
  let before: Record<string, string>;

  beforeAll(async () => {
    bundle = await sqliteBundle();
    scratch = scratchDatabase(corpus.schema);
    makeOther(scratch.dir);
    before = filesOf(scratch.dir);
  });
  afterAll(() => {
    bundle.remove();
    scratch.remove();
  });

  const inDir = (sql: string) => sql.replaceAll('{dir}', scratch.dir);
  const session = () => sqlite.open({ file: scratch.file }, engineContext(scratch.dir, bundle.dir));
  const coded = (run: Promise<unknown>) => run.catch((error: unknown) => expect(error).toBeInstanceOf(AppError));

  /** Runs it in each way that must change nothing. */
  async function everyWay(on: Session, sql: string): Promise<void> {
    await coded(readOf(on, sql, CAPS, soon()));
    await coded(exportOf(on, sql, 'jsonl', { write: async () => undefined }, soon()));
    await coded(explainOf(on, sql, false, soon()));
    await coded(explainOf(on, sql, true, soon()));
    if ((await judgementOf(on, sql)).effect !== 'write') return;
    await coded(checkOf(on, sql, soon()));
    await coded(previewOf(on, sql, soon()));
  }

  test.each(corpus.statements)('is judged as a $effect: $sql', async ({ sql, effect }) => {
    const on = session();
    expect((await judgementOf(on, inDir(sql))).effect).toBe(effect);
    await on.end();
  });

  test('changes nothing when read, exported, explained, analysed, compiled or dry-run', async () => {
    const on = session();
    await eachUnchanged(
      corpus.statements,
      AT_ONCE,
      () => filesOf(scratch.dir),
      ({ sql }) => everyWay(on, inDir(sql)),
    );
    const guard =
      "SELECT query_only, trusted_schema, (SELECT group_concat(name) FROM pragma_database_list WHERE name <> 'temp') FROM pragma_query_only, pragma_trusted_schema";
    expect(await readOf(on, guard, CAPS, soon())).toMatchObject({ rows: { rows: [[1, 0, 'main']] } });
    await on.end();
    expect(filesOf(scratch.dir)).toEqual(before);
  }, 120_000);

  test('changes nothing as the first call of a session', async () => {
    const look = () => filesOf(scratch.dir);
    await eachUnchanged(corpus.statements, AT_ONCE, look, async ({ sql }) => {
      const on = session();
      await coded(readOf(on, inDir(sql), CAPS, soon()));
      await on.end();
    });
    expect(look()).toEqual(before);
  }, 240_000);
});

describe('a statement on a schema full of objects, through the tools where writes are denied,', () => {
  let project: TempProject;

  beforeEach(() => {
    project = tempProject();
    project.database('app.db', corpus.schema.join(';\n'));
    makeOther(project.root);
  });
  afterEach(() => project.remove());

  const denied = { args: ['--writes', 'deny'] } as const;
  const inDir = (sql: string) => sql.replaceAll('{dir}', project.root);
  const files = () => filesOf(project.root);

  test('changes nothing through run-query, explain-query and export-query', async () => {
    await withDoors(project, denied, async ({ send }) => {
      const statements = corpus.statements.map(({ sql }) => inDir(sql));
      await eachUnchanged(statements, AT_ONCE, files, async (sql) => void (await send(sql)));
    });
  }, 240_000);

  test('changes nothing as a custom tool', async () => {
    // A tool's text is YAML, which cannot contain NUL, and its own parser judges the rest.
    const harmful = corpus.statements.filter(({ sql, effect }) => effect !== 'read' && !sql.includes('\0'));
    for (let from = 0; from < harmful.length; from += OWN_TOOLS_AT_ONCE) {
      const own = harmful.slice(from, from + OWN_TOOLS_AT_ONCE).map(({ sql }) => inDir(sql));
      await withDoors(project, { ...denied, own }, async ({ sendOwn }) => {
        await eachUnchanged([...own.keys()], AT_ONCE, files, async (at) => void (await sendOwn(at)));
      });
    }
  }, 240_000);
});
