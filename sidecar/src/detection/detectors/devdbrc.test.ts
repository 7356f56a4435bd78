// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ENGINES, SERVER_TYPES, SERVERS } from '@devdb/shared/engines';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import type { Detection } from '../detector.ts';
import { devdbrc } from './devdbrc.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function detectIn(fixture: string | undefined, text?: string): Promise<Detection> {
  project = new FixtureProject(fixture);
  if (text !== undefined) project.write('.devdbrc', text);
  return await devdbrc.detect(await project.view(), AbortSignal.timeout(5_000));
}

it('reads JSON with comments and trailing commas, with names, kinds and lines', async () => {
  const { found, skipped } = await detectIn('devdbrc-json');
  expect(skipped).toEqual([]);
  expect(found.map(({ id, kind, source }) => [id, kind, source.line])).toEqual([
    ['devdbrc:shop.db', 'sqlite', 3],
    ['devdbrc:reporting', 'postgres', 4],
    ['devdbrc:from-env', 'mysql2', 14],
  ]);
  expect(found[0]?.target).toEqual({ file: `${project.root}/data/shop.db` });
  const server = found[1]?.target;
  if (!server || 'file' in server) throw new Error('not a server');
  expect(server).toMatchObject({ host: '127.0.0.1', port: 54329, user: 'shop', database: 'reports' });
  expect([server.password?.open(), server.options]).toEqual(['not//a comment', { sslmode: 'disable' }]);
});

it('takes every type that it names, with the port of its engine', async () => {
  const { skipped } = await detectIn(undefined, '[{"path":"a.db"}]');
  const sentence = skipped[0]?.reason ?? '';
  expect(SERVER_TYPES.filter((type) => !sentence.includes(type))).toEqual([]);
  project.remove();
  const servers = SERVER_TYPES.map((type) => ({ type, name: type, host: '127.0.0.1', database: 'shop' }));
  const { found } = await detectIn(undefined, JSON.stringify(servers));
  expect(found.map(({ name, kind, target }) => [name, kind, 'port' in target ? target.port : undefined])).toEqual(
    SERVER_TYPES.map((type) => [type, SERVERS[type].kind, ENGINES[SERVERS[type].kind].port]),
  );
});

it('reads YAML, and a number as a password', async () => {
  const { found, skipped } = await detectIn('devdbrc-yaml');
  expect(skipped).toEqual([]);
  expect(found.map(({ id, source }) => [id, source.line])).toEqual([
    ['devdbrc:shop.db', 2],
    ['devdbrc:legacy', 4],
  ]);
  const server = found[1]?.target;
  expect(server && 'password' in server && server.password?.open()).toBe('12345');
});

it('reads YAML in its bracket form, and a file with a byte order mark and CRLF', async () => {
  expect((await detectIn(undefined, '[{type: sqlite, path: a.db}]')).found).toHaveLength(1);
  project.remove();
  expect((await detectIn(undefined, '\uFEFF[\r\n{"type":"sqlite","path":"a.db"}\r\n]')).found[0]?.source.line).toBe(2);
});

it('names line and cause of every mistake and keeps the other entries', async () => {
  const { found, skipped } = await detectIn('devdbrc-broken');
  expect(found.map(({ name }) => name)).toEqual(['first.db', 'last.db']);
  expect(skipped.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '5: not valid JSON: it needs double quotes around a name or text here',
    '3: has a wrong field path: must be text',
    '4: has an unknown type; use sqlite, mysql, mariadb, postgres or mssql',
    '6: has an unknown field, which is ignored: pasword',
    '6: has a wrong field port: must be a number from 1 to 65535',
  ]);
  expect(JSON.stringify(skipped)).not.toContain('hunter2');
});

it.each([
  ['', 'is empty'],
  ['{"type":"sqlite","path":"a.db"}', 'must be a list of connections: put the connection into [ ]'],
  ['[7]', 'must be an object with a type'],
  ['[{"path":"a.db"}]', 'needs a type: sqlite, mysql, mariadb, postgres or mssql'],
  ['[{"type":"sqlite"}]', 'needs the field path'],
  ['[{"type":"sqlite","path":"~/a.db"}]', 'has a path with ~, which is not resolved; write it in full'],
  ['[{"type":"sqlite","path":":memory:"}]', 'names an in-memory database, which only its own program can see'],
  ['[{"type":"sqlite","path":"a\\u0000b"}]', 'has a wrong field path: must not contain NUL'],
  ['- type: postgres\n', 'needs the field database'],
  ['- type: "sqlite\n', 'not valid YAML: a quote, a bracket, a comma or a colon is missing (MISSING_CHAR)'],
])('reports that %j %s', async (text, reason) => {
  const { found, skipped } = await detectIn(undefined, text);
  expect(found).toEqual([]);
  expect(skipped).toContainEqual({ file: '.devdbrc', line: expect.any(Number), reason, mistake: true });
});

it('keeps references to the environment secret, with the names of their variables', async () => {
  const text = '[{"type":"mysql","database":"d","host":"${DB_HOST}","port":"${DB_PORT}","password":"x${PW}y"}]';
  const [found] = (await detectIn(undefined, text)).found;
  expect(found?.unresolved?.map(({ field, variables }) => [field, ...variables])).toEqual([
    ['host', 'DB_HOST'],
    ['port', 'DB_PORT'],
    ['password', 'PW'],
  ]);
  expect(inspect(found, { depth: 9 }) + JSON.stringify(found)).not.toContain('${PW}');
});

it.each([
  ['a file that is not there', 'moved/away'],
  ['itself', '.devdbrc'],
])('reports a link to %s', async (_what, target) => {
  project = new FixtureProject();
  symlinkSync(target, join(project.root, '.devdbrc'));
  const { skipped } = await devdbrc.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(skipped).toEqual([{ file: '.devdbrc', reason: 'is a link to a missing file', mistake: true }]);
});

it('keeps the command that gives a password', async () => {
  const [found] = (await detectIn(undefined, '- {type: mysql, database: d, passwordCommand: pass show db}')).found;
  expect(found?.passwordCommand).toEqual({ argv: ['pass', 'show', 'db'], digest: undefined });
});

it('reads no more connections than a person would write', async () => {
  const entries = Array.from({ length: 3_000 }, (_, i) => ({ type: 'sqlite', path: `${i}.db` }));
  const { found, skipped } = await detectIn(undefined, JSON.stringify(entries));
  expect(found).toHaveLength(100);
  expect(skipped.map(({ reason }) => reason)).toEqual(['has more than 100 connections; only those are read']);
});
