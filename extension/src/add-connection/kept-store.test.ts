import type { ServerConnection } from '@devdb/shared/protocol/connection-methods';
import { KeptStore, type Secrets } from './kept-store.ts';

const SHOP: ServerConnection = {
  type: 'mysql',
  name: 'shop',
  host: 'localhost',
  port: 3306,
  username: 'ada',
  database: 'shop',
};

/** Answers with a delay, like a key store. */
class SlowSecrets implements Secrets {
  readonly values = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    await Promise.resolve();
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    await Promise.resolve();
    this.values.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
  }
}

describe('what is stored for a project', () => {
  test('is one connection per name and one password per login', async () => {
    const store = new KeptStore(new SlowSecrets());
    await Promise.all([
      store.addConnection('/a', SHOP),
      store.setPassword('/a', SHOP, 'first'),
      store.addConnection('/a', { ...SHOP, database: 'shop2' }),
      store.setPassword('/a', { ...SHOP, type: 'mariadb', host: 'LOCALHOST' }, 'second'),
      store.addConnection('/b', { type: 'sqlite', name: 'x', path: 'x.db' }),
    ]);
    const { connections, passwords } = await store.read('/a');
    expect(connections).toEqual([{ ...SHOP, database: 'shop2' }]);
    expect(passwords.map(({ password }) => password)).toEqual(['second']);
    expect((await store.read('/b')).passwords).toEqual([]);
  });

  test('is forgotten with the last connection, its password included', async () => {
    const secrets = new SlowSecrets();
    const store = new KeptStore(secrets);
    await store.addConnection('/a', SHOP);
    await store.addConnection('/a', { ...SHOP, name: 'twin' });
    await store.setPassword('/a', SHOP, 'pw');
    await store.removeConnection('/a', 'shop');
    expect((await store.read('/a')).passwords).toHaveLength(1);
    await store.removeConnection('/a', 'twin');
    expect(secrets.values.size).toBe(0);
  });

  test('is identified by the key that changed', () => {
    expect(KeptStore.rootOf('connections:/a b')).toBe('/a b');
    expect(KeptStore.rootOf('another')).toBeUndefined();
  });

  test('is not overwritten when it cannot be read', async () => {
    const secrets = new SlowSecrets();
    secrets.values.set('connections:/a', '{"connections":[');
    const store = new KeptStore(secrets);
    await expect(store.addConnection('/a', SHOP)).rejects.toThrow();
    expect(secrets.values.get('connections:/a')).toBe('{"connections":[');
  });
});
