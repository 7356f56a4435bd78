import { withTimeout } from '@devdb/shared/abort';
import { hasCode } from '../host/error-code.ts';
import type { Secret } from '../host/secret.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { PROBE_TIMEOUT_MS, RELOAD_OVERLAP_MS } from './limits.ts';
import { ProvenConnection } from './proven-connection.ts';

const SIDECAR_KINDS = ['window', 'headless'] as const;
/** An editor window, or `devdb serve`. */
export type SidecarKind = (typeof SIDECAR_KINDS)[number];

/** Who answers at a port of the registry. `unclear` means no answer in time. */
export type Neighbour =
  | { readonly state: 'open'; readonly kind: SidecarKind }
  | { readonly state: 'gone' }
  | { readonly state: 'unclear' };

/** Asks who listens at a port for this project. Rejects only when the signal aborts. */
export type Probe = (port: number, signal: AbortSignal) => Promise<Neighbour>;

/**
 * A probe for one project. The token is not sent: only a sidecar of the same user with this project open can answer the
 * nonce.
 */
export function probeFor(projectRoot: string, token: Secret): Probe {
  return async (port, signal) => {
    const inTime = withTimeout(signal, PROBE_TIMEOUT_MS);
    try {
      const connection = await ProvenConnection.open({ port, root: projectRoot, token }, inTime);
      connection.close();
      const kind = SIDECAR_KINDS.find((known) => known === connection.health['kind']);
      return kind === undefined ? { state: 'gone' } : { state: 'open', kind };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConnectionFailed)) throw error;
      const isStranger = error.refused || error.wrongProject;
      return { state: isStranger || hasCode(error.cause, 'ECONNREFUSED') ? 'gone' : 'unclear' };
    }
  };
}

/**
 * Whether to keep waiting for the holder of this project's port. A sidecar of the other kind stays; one of the same
 * kind may be the one this process replaces, which closes its listener first.
 */
export async function mayLeave(
  kind: SidecarKind,
  probe: Probe,
  { port, waitedMs }: { readonly port: number; readonly waitedMs: number },
  signal: AbortSignal,
): Promise<boolean> {
  const holder = await probe(port, signal);
  return holder.state !== 'open' || (holder.kind === kind && waitedMs < RELOAD_OVERLAP_MS);
}
