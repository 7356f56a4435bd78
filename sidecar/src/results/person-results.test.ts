import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrangingBundle } from '../../test/helpers/arranging-bundle.ts';
import { MAX_OPEN_RESULTS } from './limits.ts';
import { PersonResults } from './person-results.ts';

let dir: string;
let results: PersonResults;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-results-'));
  const options = { parent: join(dir, 'spool'), driverDir: await arrangingBundle(join(dir, 'bundle')), maxBytes: 60 };
  results = new PersonResults({ ...options, log: () => undefined });
});
afterEach(async () => {
  await results.end();
  rmSync(dir, { recursive: true });
});

const files = () => readdirSync(join(dir, 'spool'), { recursive: true }).filter((name) => /[\\/]\d/.test(String(name)));
const ignored = () => undefined;

test('a result that is closed while its file is being made leaves none', async () => {
  const opening = results.create('r', ignored);
  await results.close('r');
  const result = await opening;
  expect(result.closed.aborted).toBe(true);
  expect(files()).toEqual([]);
  expect(() => results.find('r')).toThrow(expect.objectContaining({ code: 'E_INVALID_REFERENCE' }));
});

test('nothing is written to a closed result', async () => {
  const result = await results.create('r', ignored);
  await results.close('r');
  await expect(result.write(Buffer.from('[]\n'), 0)).rejects.toMatchObject({ code: 'E_CANCELLED' });
  expect(files()).toEqual([]);
});

test('a result at its largest size says so and keeps its rows', async () => {
  const result = await results.create('r', ignored);
  await result.write(Buffer.from('[{"name":"a"}]\n[1]\n'), 1);
  await expect(result.write(Buffer.alloc(60), 1)).rejects.toThrow('size');
  expect([result.stopped, result.rows]).toEqual(['size', 1]);
  expect(await result.page(0, 0, 10, AbortSignal.timeout(10_000))).toBe('[[1]]');
});

test('is sorted and filtered only when no more rows come', async () => {
  const result = await results.create('r', ignored);
  await result.write(Buffer.from('[{"name":"a"}]\n[1]\n[3]\n[2]\n'), 3);
  const sort = { column: 0, descending: true };
  expect(() => result.arrange(sort, [], AbortSignal.timeout(10_000))).toThrow(
    expect.objectContaining({ code: 'E_NOT_SUPPORTED' }),
  );
  result.complete();
  const { order } = await result.arrange(sort, [], AbortSignal.timeout(10_000));
  expect(await result.page(order, 0, 10, AbortSignal.timeout(10_000))).toBe('[[3],[2],[1]]');
});

test('rows that are read in one order come to their end in it, also when another one takes its place', async () => {
  const result = await results.create('r', ignored);
  await result.write(Buffer.from('[{"name":"a"}]\n[1]\n[3]\n[2]\n'), 3);
  result.complete();
  const down = await result.arrange({ column: 0, descending: true }, [], AbortSignal.timeout(10_000));
  const reading = result.all(down.order, AbortSignal.timeout(10_000));
  expect((await reading.next()).value).toBe('[3]');
  await result.arrange({ column: 0, descending: false }, [], AbortSignal.timeout(10_000));
  expect(files()).toHaveLength(3);
  const rest: unknown[] = [];
  for await (const line of reading) rest.push(line);
  expect(rest).toEqual(['[2]', '[1]']);
  expect(files()).toHaveLength(2);
});

test('a result that is closed while its rows are read leaves no file', async () => {
  const result = await results.create('r', ignored);
  await result.write(Buffer.from('[{"name":"a"}]\n[1]\n[2]\n'), 2);
  result.complete();
  const { order } = await result.arrange({ column: 0, descending: true }, [], AbortSignal.timeout(10_000));
  const reading = result.all(order, AbortSignal.timeout(10_000));
  await reading.next();
  const closing = results.close('r');
  await reading.return(undefined);
  await closing;
  expect(files()).toEqual([]);
});

test('another order ends the one that is still being made, and leaves none of its files', async () => {
  const result = await results.create('r', ignored);
  await result.write(Buffer.from('[{"name":"a"}]\n[1]\n[3]\n[2]\n'), 3);
  result.complete();
  const signal = AbortSignal.timeout(60_000);
  const before = expect(result.arrange({ column: 0, descending: true }, [], signal)).rejects.toMatchObject({
    code: 'E_INVALID_REFERENCE',
  });
  const { order } = await result.arrange({ column: 0, descending: false }, [], signal);
  await before;
  expect(await result.page(order, 0, 10, signal)).toBe('[[1],[2],[3]]');
  expect(files()).toHaveLength(2);
  const given = new AbortController();
  const stopped = result.arrange(undefined, [{ is: 'contains', value: '1' }], given.signal);
  given.abort();
  await expect(stopped).rejects.toThrow();
  expect(await result.page(order, 0, 10, signal)).toBe('[[1],[2],[3]]');
  expect(files()).toHaveLength(2);
});

test('a name is given once, and there are not more results than a person can have open', async () => {
  await results.create('r0', ignored);
  await expect(results.create('r0', ignored)).rejects.toMatchObject({ code: 'E_ALREADY_EXISTS' });
  const more = Array.from({ length: MAX_OPEN_RESULTS - 1 }, (_, at) => results.create(`r${at + 1}`, ignored));
  await Promise.all(more);
  await expect(results.create('one more', ignored)).rejects.toMatchObject({ code: 'E_NOT_SUPPORTED' });
});

test('the end removes every file and makes no other', async () => {
  await results.create('r', ignored);
  const opening = results.create('s', ignored);
  await results.end();
  await opening;
  expect(readdirSync(join(dir, 'spool'))).toEqual([]);
  await expect(results.create('t', ignored)).rejects.toMatchObject({ code: 'E_CANCELLED' });
});
