import { constants, privateDecrypt } from 'node:crypto';
import type { AppError } from '@devdb/shared/errors';
import { TdsPeer } from '../../fixtures/tds-peer/index.ts';
import type { ServerTarget, Session } from '../src/engines/engine.ts';
import { open as openMssql } from '../src/engines/mssql/session.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { Secret } from '../src/host/secret.ts';
import { engineContext } from './helpers/engine-target.ts';
import { errorOf } from './helpers/error-of.ts';
import { ROGUE_PRIVATE_KEY, type RogueServer, rogueMysql, roguePostgres } from './helpers/rogue-servers.ts';

const PASSWORD = 'correct-horse-battery';
const context = engineContext();

function target(port: number, more: Partial<ServerTarget>): ServerTarget {
  const common = { host: '127.0.0.1', user: 'app', database: 'shop', options: {} };
  return { ...common, port, password: new Secret(PASSWORD), ...more };
}

/** How a login ended, and whether the other side could read the password. */
async function logIn(session: Session, server: RogueServer): Promise<{ error: AppError; got: boolean }> {
  try {
    const error = await errorOf(session.tables(AbortSignal.timeout(20_000)));
    return { error, got: holdsPassword(server.received()) };
  } finally {
    await session.end();
    await server.end();
  }
}

/** In clear text, in UTF-16, obscured as in TDS, or encrypted with the other side's own key. */
function holdsPassword(bytes: Buffer): boolean {
  const wide = Buffer.from(PASSWORD, 'utf16le');
  const hidden = wide.map((byte) => (((byte & 0x0f) << 4) | (byte >> 4)) ^ 0xa5);
  return (
    [Buffer.from(PASSWORD), wide, Buffer.from(hidden)].some((form) => bytes.includes(form)) || isDecryptable(bytes)
  );
}

function isDecryptable(bytes: Buffer): boolean {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  for (let at = 0; at + 256 <= bytes.length; at += 1) {
    try {
      privateDecrypt({ key: ROGUE_PRIVATE_KEY, padding, oaepHash: 'sha1' }, bytes.subarray(at, at + 256));
      return true;
    } catch {
      // Not there.
    }
  }
  return false;
}

const REFUSED = /^E_NO_CONNECTION .* in clear text/;

describe('a server on loopback that asks for the password itself', () => {
  describe.each([
    ['at once', false],
    ['behind a harmless request', true],
  ])('Postgres, %s', (_when, behindScram) => {
    it.each([[{}], [{ sslmode: 'disable' }], [{ sslmode: 'prefer' }], [{ sslmode: 'allow' }]])(
      'gets nothing with %j',
      async (options) => {
        const server = await roguePostgres(behindScram);
        const session = postgresEngine.open(target(server.port, { options }), context);
        const { error, got } = await logIn(session, server);
        expect(`${error.code} ${error.message}`).toMatch(REFUSED);
        expect(got).toBe(false);
      },
    );

    it('gets it once a person has approved the connection', async () => {
      const server = await roguePostgres(behindScram);
      const session = postgresEngine.open(target(server.port, { approved: true }), context);
      expect((await logIn(session, server)).got).toBe(true);
    });
  });

  describe.each(['caching_sha2_password', 'sha256_password', 'mysql_clear_password'])('MySQL with %s', (plugin) => {
    it.each([[{}], [{ 'ssl-mode': 'disabled' }], [{ enableCleartextPlugin: true }], [{ 'ssl-mode': 'preferred' }]])(
      'gets nothing with %j',
      async (options) => {
        for (const greets of [plugin, 'mysql_native_password']) {
          const server = await rogueMysql(plugin, greets);
          const session = mysqlEngine.open(target(server.port, { options }), context);
          const { error, got } = await logIn(session, server);
          expect(`${error.code} ${error.message}`).toMatch(REFUSED);
          expect(got).toBe(false);
        }
      },
    );

    it('gets it once a person has approved the connection', async () => {
      const server = await rogueMysql(plugin);
      const options = { enableCleartextPlugin: true };
      const session = mysqlEngine.open(target(server.port, { options, approved: true }), context);
      expect((await logIn(session, server)).got).toBe(true);
    });
  });

  it.each([['false'], ['optional'], ['DANGER_PLAINTEXT'], [false]])(
    'SQL Server gets nothing with encrypt=%s',
    async (encrypt) => {
      const peer = await TdsPeer.listen({ script: () => undefined });
      const session = openMssql(target(peer.port, { options: { encrypt } }), context);
      const { code, message } = await errorOf(session.tables(AbortSignal.timeout(20_000)));
      expect(`${code} ${message}`).toMatch(REFUSED);
      expect(peer.transcript.filter(({ event }) => event === 'login')).toEqual([]);
      await session.end();
      await peer.close();
    },
  );
});
