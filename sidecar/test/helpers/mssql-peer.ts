import { type PeerOptions, type PeerScript, TdsPeer } from '../../../fixtures/tds-peer/index.ts';
import type { Caps, ServerTarget, Session } from '../../src/engines/engine.ts';
import { HeldBytes } from '../../src/engines/held-bytes.ts';
import { open } from '../../src/engines/mssql/session.ts';
import { Secret } from '../../src/host/secret.ts';

export const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4096 };

/** An event that a SQL Server session logged. */
export type Logged = { readonly event: string; readonly facts: Readonly<Record<string, unknown>> };

export interface PeerSession {
  readonly peer: TdsPeer;
  readonly session: Session;
  readonly logged: readonly Logged[];
  readonly held: HeldBytes;
  readonly end: () => Promise<void>;
}

/** The target of a peer. */
export function targetOf(port: number, more: Partial<ServerTarget> = {}): ServerTarget {
  return {
    host: '127.0.0.1',
    port,
    user: 'agent',
    password: new Secret('pass;word{"é'),
    database: 'shop',
    options: { encrypt: 'false' },
    approved: true,
    ...more,
  };
}

/** A session on a peer that answers from a script. */
export async function peerSession(
  script: PeerScript = () => undefined,
  options: Omit<PeerOptions, 'script'> = {},
  more: Partial<ServerTarget> = {},
): Promise<PeerSession> {
  const peer = await TdsPeer.listen({ ...options, script });
  const logged: Logged[] = [];
  const log = (event: string, facts: Readonly<Record<string, unknown>>): void => {
    logged.push({ event, facts });
  };
  const held = new HeldBytes();
  const session = open(targetOf(peer.port, more), { projectRoot: '/', bundleDir: '/', log, held });
  const end = async (): Promise<void> => {
    await session.end();
    await peer.close();
  };
  return { peer, session, logged, held, end };
}

/** A signal for tests that must not hang. */
export function patience(): AbortSignal {
  return AbortSignal.timeout(20_000);
}
