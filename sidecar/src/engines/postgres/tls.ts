import type { ConnectionOptions } from 'node:tls';
import { AppError } from '@devdb/shared/errors';
import * as z from 'zod';
import type { ServerTarget } from '../engine.ts';
import { type FilePlace, isLocal, pemText } from '../tls-options.ts';

/** One way to reach the server: in clear text, or with TLS. */
export type Encryption = false | ConnectionOptions;

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
type Mode = (typeof MODES)[number];

const sslObject = z.looseObject({
  rejectUnauthorized: z.boolean().optional(),
  ca: z.union([z.string(), z.array(z.string())]).optional(),
  cert: z.string().optional(),
  key: z.string().optional(),
  servername: z.string().optional(),
});

/**
 * The ways to reach the server, in the order to try them. `require` and above check the certificate; `prefer` and
 * `allow` would accept clear text too, so a certificate proves nothing there.
 */
export function encryptionsOf(
  { options, host, approved = false }: Pick<ServerTarget, 'options' | 'host' | 'approved'>,
  projectRoot: string,
): readonly Encryption[] {
  const files = readFiles(options, { projectRoot, approved });
  const mode = modeOf(options);
  switch (mode) {
    case 'disable':
      return [false];
    case 'no-verify':
      return [{ ...files, rejectUnauthorized: false }];
    case 'verify-ca':
      return [{ ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined }];
    case 'require':
    case 'verify-full':
      return [{ ...files, rejectUnauthorized: true }];
    case 'prefer':
      return [{ ...files, rejectUnauthorized: false }, false];
    case 'allow':
      return [false, { ...files, rejectUnauthorized: false }];
    default:
      return isLocal(host) ? [false, { rejectUnauthorized: false }] : [{ rejectUnauthorized: false }, false];
  }
}

function modeOf(options: Readonly<Record<string, unknown>>): Mode | undefined {
  const said = options['sslmode'] ?? options['ssl_mode'] ?? options['sslMode'] ?? options['ssl'];
  if (said === undefined || said === null || said === '') return hasFiles(options) ? 'verify-full' : undefined;
  if (typeof said === 'object') {
    return sslObject.safeParse(said).data?.rejectUnauthorized === false ? 'no-verify' : 'verify-full';
  }
  const text = String(said).toLowerCase();
  if (['true', '1', 'on', 'yes'].includes(text)) return 'verify-full';
  if (['false', '0', 'off', 'no'].includes(text)) return 'disable';
  const mode = MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  throw new AppError('E_NO_CONNECTION', `The connection's option sslmode has an unknown value.`, {
    hint: `Use one of ${MODES.join(', ')}.`,
  });
}

function hasFiles(options: Readonly<Record<string, unknown>>): boolean {
  return ['sslrootcert', 'sslca', 'ca', 'sslcert'].some((name) => typeof options[name] === 'string');
}

function readFiles(options: Readonly<Record<string, unknown>>, place: FilePlace): ConnectionOptions {
  const ssl = sslObject.safeParse(options['ssl']).data ?? {};
  const named = options['sslrootcert'] ?? options['sslca'] ?? options['ca'] ?? ssl.ca;
  // `system` means the certificate authorities that Node already knows.
  const ca = named === 'system' ? undefined : pemText(named, 'sslrootcert', place);
  const cert = pemText(options['sslcert'] ?? ssl.cert, 'sslcert', place);
  const key = pemText(options['sslkey'] ?? ssl.key, 'sslkey', place);
  const password = options['sslpassword'];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(typeof password === 'string' ? { passphrase: password } : {}),
    ...(ssl.servername === undefined ? {} : { servername: ssl.servername }),
  };
}
