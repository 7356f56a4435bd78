import { browse } from '@devdb/shared/protocol/browse-methods';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { KnownSchemas } from './known-schemas.ts';

const SHOP = { root: '/shop', connection: 'shop' };
const NAMES = [{ name: 'order', columns: ['id int'] }];
const TABLES = [{ name: 'order', written: '"order"', columns: ['id int'] }];
const CONNECTION = {
  id: 'shop',
  name: 'shop',
  type: 'sqlite',
  target: 'shop.db',
  source: { file: 'shop.db', by: 'file' },
  isDefault: true,
  trusted: true,
  guard: 'guarded',
  guardReason: 'A file.',
};
const MINUTE = 60_000;

/** A sidecar that is asked for names; it fails while `fails` is set. */
function sidecar() {
  const state = { asked: 0, fails: false };
  const call = async (method: { readonly name: string }) => {
    if (method.name === browse.name) return { data: { connections: [CONNECTION], skipped: [] } };
    state.asked += 1;
    if (state.fails) throw new Error('The database is not there.');
    return { tables: NAMES };
  };
  const client: Pick<SidecarClient, 'call'> = Object.assign(Object.create(null), { call });
  return { state, client };
}

beforeEach(() => jest.useFakeTimers({ now: 1_000_000_000 }));
afterEach(() => jest.useRealTimers());

test('typing asks nothing of a database that was not used yet; looking at a name asks once', async () => {
  const { state, client } = sidecar();
  const schemas = new KnownSchemas(() => undefined);
  expect(await schemas.tables(client, SHOP)).toEqual([]);
  expect(state.asked).toBe(0);
  expect(await Promise.all([schemas.seen(client, SHOP), schemas.seen(client, SHOP)])).toEqual([TABLES, TABLES]);
  expect(await schemas.tables(client, SHOP)).toEqual(TABLES);
  expect(state.asked).toBe(1);
});

test('what has run may have changed the tables, under whatever name their database was asked', async () => {
  const { state, client } = sidecar();
  const schemas = new KnownSchemas(() => undefined);
  await schemas.seen(client, SHOP);
  schemas.ran({ root: '/shop', connection: undefined });
  await schemas.seen(client, SHOP);
  expect(state.asked).toBe(2);
});

test('names are read again after five minutes', async () => {
  const { state, client } = sidecar();
  const schemas = new KnownSchemas(() => undefined);
  await schemas.seen(client, SHOP);
  jest.setSystemTime(Date.now() + 4 * MINUTE);
  await schemas.seen(client, SHOP);
  expect(state.asked).toBe(1);
  jest.setSystemTime(Date.now() + 2 * MINUTE);
  await schemas.seen(client, SHOP);
  expect(state.asked).toBe(2);
});

test('a database that could not be read is left alone for a minute', async () => {
  const { state, client } = sidecar();
  const faults: unknown[] = [];
  const schemas = new KnownSchemas((fault) => faults.push(fault));
  state.fails = true;
  expect(await schemas.seen(client, SHOP)).toEqual([]);
  expect(await schemas.seen(client, SHOP)).toEqual([]);
  expect(await schemas.tables(client, SHOP)).toEqual([]);
  expect([state.asked, faults.length]).toEqual([1, 1]);
  state.fails = false;
  jest.setSystemTime(Date.now() + 2 * MINUTE);
  expect(await schemas.seen(client, SHOP)).toEqual(TABLES);
});
