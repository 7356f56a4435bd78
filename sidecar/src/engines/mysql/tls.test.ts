import { encryptionsOf } from './tls.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----';

function ways(options: Record<string, unknown>, host = 'db.example.com'): unknown[] {
  return encryptionsOf({ options, host }, '/project').map((way) => (way === undefined ? 'clear' : way));
}

describe('encryptionsOf', () => {
  it.each([
    [{}, [{ rejectUnauthorized: false }, 'clear']],
    [{ 'ssl-mode': 'DISABLED' }, ['clear']],
    [{ sslmode: 'disable' }, ['clear']],
    [{ ssl: 'false' }, ['clear']],
    [{ 'ssl-mode': 'PREFERRED' }, [{ rejectUnauthorized: false }, 'clear']],
    [{ sslMode: 'REQUIRED' }, [{ rejectUnauthorized: true, verifyIdentity: true }]],
    [{ ssl: true }, [{ rejectUnauthorized: true, verifyIdentity: true }]],
    [{ ssl: { rejectUnauthorized: false } }, [{ rejectUnauthorized: false }]],
    [{ ssl: { ca: PEM } }, [{ ca: PEM, rejectUnauthorized: true, verifyIdentity: true }]],
    [{ ssl_mode: 'verify-ca', 'ssl-ca': PEM }, [{ ca: PEM, rejectUnauthorized: true, verifyIdentity: false }]],
    [{ sslca: PEM }, [{ ca: PEM, rejectUnauthorized: true, verifyIdentity: true }]],
    [{ tls: 'no-verify' }, [{ rejectUnauthorized: false }]],
  ])('reads %j', (options, expected) => {
    expect(ways(options)).toEqual(expected);
  });

  it('tries clear text first on this machine, where no network is between', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '/run/mysqld/mysqld.sock']) {
      expect(ways({}, host)).toEqual(['clear', { rejectUnauthorized: false }]);
    }
  });

  it('refuses unknown options and missing files, with a reason', () => {
    expect(() => ways({ 'ssl-mode': 'perhaps' })).toThrow(/ssl-mode/);
    expect(() => ways({ 'ssl-ca': 'no/such/file.pem' })).toThrow(/ssl-ca/);
  });
});
