import { AppError } from '@devdb/shared/errors';
import type { SslOptions } from 'mysql2';
import * as z from 'zod';
import type { ServerTarget } from '../engine.ts';
import { type FilePlace, isLocal, pemText } from '../tls-options.ts';

/** One way to reach the server: in clear text, or with TLS. */
export type Encryption = SslOptions | undefined;

type Options = Readonly<Record<string, unknown>>;
type Mode = 'disabled' | 'preferred' | 'no-verify' | 'verify-ca' | 'verify-identity';

/** MySQL's own words, Postgres' words and those of libraries. Asking for TLS means asking for the right server. */
const MODES: Readonly<Record<string, Mode | undefined>> = {
  disabled: 'disabled',
  disable: 'disabled',
  preferred: 'preferred',
  prefer: 'preferred',
  allow: 'preferred',
  required: 'verify-identity',
  require: 'verify-identity',
  verify_ca: 'verify-ca',
  verify_identity: 'verify-identity',
  verify_full: 'verify-identity',
  no_verify: 'no-verify',
  true: 'verify-identity',
  '1': 'verify-identity',
  on: 'verify-identity',
  yes: 'verify-identity',
  false: 'disabled',
  '0': 'disabled',
  off: 'disabled',
  no: 'disabled',
};

const MODE_NAMES = ['ssl-mode', 'ssl_mode', 'sslMode', 'sslmode', 'ssl', 'tls', 'useSSL'];
const CA_NAMES = ['ssl-ca', 'ssl_ca', 'sslca', 'sslrootcert', 'ca'];
const CERT_NAMES = ['ssl-cert', 'ssl_cert', 'sslcert'];
const KEY_NAMES = ['ssl-key', 'ssl_key', 'sslkey'];

const pem = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join('\n'))]);
const sslObject = z.looseObject({
  rejectUnauthorized: z.boolean().optional(),
  ca: pem.optional(),
  cert: pem.optional(),
  key: pem.optional(),
});

/**
 * The ways to reach the server, in the order to try them. When TLS is asked for, the certificate is checked; otherwise
 * it proves nothing, because clear text would have been accepted too.
 */
export function encryptionsOf(
  { options, host, approved = false }: Pick<ServerTarget, 'options' | 'host' | 'approved'>,
  projectRoot: string,
): readonly Encryption[] {
  const files = readFiles(options, { projectRoot, approved });
  const unverified = { ...files, rejectUnauthorized: false };
  switch (modeOf(options)) {
    case 'disabled':
      return [undefined];
    case 'no-verify':
      return [unverified];
    case 'verify-ca':
      return [{ ...files, rejectUnauthorized: true, verifyIdentity: false }];
    case 'verify-identity':
      return [{ ...files, rejectUnauthorized: true, verifyIdentity: true }];
    case 'preferred':
      return [unverified, undefined];
    default:
      return isLocal(host) ? [undefined, unverified] : [unverified, undefined];
  }
}

function modeOf(options: Options): Mode | undefined {
  const said = first(options, MODE_NAMES);
  if (said === undefined) return first(options, CA_NAMES) === undefined ? undefined : 'verify-identity';
  if (typeof said === 'object') {
    return sslObject.safeParse(said).data?.rejectUnauthorized === false ? 'no-verify' : 'verify-identity';
  }
  const mode = MODES[String(said).toLowerCase().replaceAll('-', '_')];
  if (mode !== undefined) return mode;
  throw new AppError('E_NO_CONNECTION', 'The connection’s option ssl-mode has an unknown value.', {
    hint: 'Use disabled, preferred, required, verify-ca, verify-identity or no-verify.',
  });
}

function first(options: Options, names: readonly string[]): unknown {
  const values = names.map((name) => options[name]);
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

function readFiles(options: Options, place: FilePlace): SslOptions {
  const ssl = sslObject.safeParse(options['ssl']).data ?? {};
  const ca = pemText(first(options, CA_NAMES) ?? ssl.ca, 'ssl-ca', place);
  const cert = pemText(first(options, CERT_NAMES) ?? ssl.cert, 'ssl-cert', place);
  const key = pemText(first(options, KEY_NAMES) ?? ssl.key, 'ssl-key', place);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
