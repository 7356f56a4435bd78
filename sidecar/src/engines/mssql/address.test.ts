import { Secret } from '../../host/secret.ts';
import type { ServerTarget } from '../engine.ts';
import { configurationOf, readerOf } from './address.ts';

function target(more: Partial<ServerTarget>): ServerTarget {
  return {
    host: 'db',
    port: 1433,
    user: 'sa',
    password: new Secret('x'),
    database: 'shop',
    options: {},
    approved: true,
    ...more,
  };
}

function configured(more: Partial<ServerTarget>) {
  return configurationOf(target(more), '/');
}

describe('configurationOf', () => {
  it.each([
    [{ host: 'db\\SHOP' }, { server: 'db', options: { instanceName: 'SHOP' } }],
    [
      { host: 'db\\SHOP', port: 14330 },
      { server: 'db', options: { port: 14330 } },
    ],
    [
      { host: 'db', options: { instanceName: 'SHOP' } },
      { server: 'db', options: { instanceName: 'SHOP' } },
    ],
    [{ host: 'tcp:db,14330' }, { server: 'db', options: { port: 14330 } }],
    [{ host: '.' }, { server: 'localhost', options: { port: 1433 } }],
    [{ host: '(local)\\SQLEXPRESS' }, { server: 'localhost', options: { instanceName: 'SQLEXPRESS' } }],
    [
      { host: '[::1]', port: 0 },
      { server: '::1', options: { port: 1433 } },
    ],
  ])('finds the server of %j', (more, expected) => {
    expect(configured(more)).toMatchObject(expected);
  });

  it.each(['false', 'optional', 'DANGER_PLAINTEXT'])(
    'encrypts an unapproved login, even where %s is configured',
    (encrypt) => {
      const options = { encrypt };
      const wanted = { options: { encrypt: true, trustServerCertificate: true } };
      expect(configured({ approved: undefined, host: 'localhost', options })).toMatchObject(wanted);
      expect(configured({ approved: false, host: 'db', options })).toMatchObject(wanted);
    },
  );

  it.each([
    [{}, { encrypt: true, trustServerCertificate: false }],
    [{ host: 'localhost' }, { encrypt: true, trustServerCertificate: true }],
    [{ host: '127.0.0.5', options: { trustServerCertificate: 'false' } }, { trustServerCertificate: false }],
    [{ options: { encrypt: 'false' } }, { encrypt: false }],
    [{ options: { Encrypt: 'Optional' } }, { encrypt: false }],
    [{ options: { ENCRYPT: 'FALSE ' } }, { encrypt: false }],
    [{ options: { encrypt: false, trustservercertificate: true } }, { encrypt: false, trustServerCertificate: true }],
    [{ options: { encrypt: 'Yes', TrustServerCertificate: 'TRUE' } }, { encrypt: true, trustServerCertificate: true }],
    [{ options: { encrypt: 'DANGER_PLAINTEXT' } }, { encrypt: false }],
    [
      { options: { schema: 'dbo', connection_limit: '5', pool_timeout: '0', charset: 'x', MARS_Connection: 'maybe' } },
      { encrypt: true },
    ],
    [{ options: { encrypt: 'strict' } }, { encrypt: 'strict' }],
    [{ options: { 'Trust Server Certificate': 'True' } }, { trustServerCertificate: true }],
    [{ options: { options: { encrypt: false } } }, { encrypt: false }],
    [{ host: 'localhost', options: { ca: '-----BEGIN CERTIFICATE-----' } }, { trustServerCertificate: false }],
  ])('encrypts as %j says', (more, expected) => {
    expect(configured(more).options).toMatchObject(expected);
  });

  it('refuses an invalid flag, and a CA file that does not exist', () => {
    expect(() => configured({ options: { encrypt: 'perhaps' } })).toThrow('neither true nor false');
    expect(() => configured({ options: { ca: 'no/such/file.pem' } })).toThrow('cannot be read');
  });

  it.each([
    [{}, 4000],
    [{ connectTimeout: 300 }, 300],
    [{ 'Connect Timeout': '2' }, 2000],
    [{ connectTimeout: 60_000 }, 4000],
  ])('connects within the limit with %j', (options, ms) => {
    expect(configured({ options }).options).toMatchObject({
      connectTimeout: ms,
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
    });
  });

  it('knows the user that reads run as', () => {
    expect(readerOf(target({ options: { executeAsUser: 'agent_ro' } }))).toBe('agent_ro');
    expect(readerOf(target({}))).toBeUndefined();
  });
});
