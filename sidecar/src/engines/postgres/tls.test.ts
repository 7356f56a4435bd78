import { tmpdir } from 'node:os';
import { encryptionsOf } from './tls.ts';

const kinds = (options: Record<string, unknown>, host: string): unknown[] =>
  encryptionsOf({ options, host }, tmpdir()).map((one) => (one === false ? 'plain' : one.rejectUnauthorized));

describe('encryptionsOf', () => {
  it.each([
    [{ sslmode: 'disable' }, ['plain']],
    [{ sslmode: 'allow' }, ['plain', false]],
    [{ sslmode: 'prefer' }, [false, 'plain']],
    [{ sslmode: 'require' }, [true]],
    [{ sslmode: 'verify-ca' }, [true]],
    [{ sslmode: 'VERIFY-FULL' }, [true]],
    [{ sslmode: 'no-verify' }, [false]],
    [{ ssl: true }, [true]],
    [{ ssl: 'false' }, ['plain']],
    [{ ssl: {} }, [true]],
    [{ ssl: { rejectUnauthorized: false } }, [false]],
    [{ ca: '-----BEGIN CERTIFICATE-----' }, [true]],
    [{}, [false, 'plain']],
  ])('reads %j', (options, expected) => {
    expect(kinds(options, 'db.example.com')).toEqual(expected);
  });

  it.each(['localhost', '127.0.0.1', '127.8.8.8', '::1', '/var/run/postgresql', 'db.localhost'])(
    'goes to %s in clear text first when nothing is configured',
    (host) => {
      expect(kinds({}, host)).toEqual(['plain', false]);
    },
  );

  it('ignores the name in the certificate only with verify-ca', () => {
    const [full] = encryptionsOf({ options: { sslmode: 'verify-full' }, host: 'db' }, tmpdir());
    const [ca] = encryptionsOf({ options: { sslmode: 'verify-ca' }, host: 'db' }, tmpdir());
    expect(full).not.toHaveProperty('checkServerIdentity');
    expect(ca).toHaveProperty('checkServerIdentity');
  });
});
