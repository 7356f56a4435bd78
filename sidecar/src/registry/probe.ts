import { request } from 'node:http';
import { PROBE_TIMEOUT_MS, RELOAD_OVERLAP_MS } from '@devdb/shared/limits';
import { HEADERS, LOOPBACK } from '@devdb/shared/protocol/http';
import * as z from 'zod';
import type { Secret } from '../connections/secret.ts';
import { hasCode } from '../host/error-code.ts';
import { equalSecrets, newNonce, proveToken } from '../host/token.ts';

const SIDECAR_KINDS = ['window', 'headless'] as const;
/** A window of the editor, or `devdb serve`. */
export type SidecarKind = (typeof SIDECAR_KINDS)[number];

/** Who answers at a port of the registry. `unclear` is somebody who said nothing in time. */
export type Neighbour =
  | { readonly state: 'open'; readonly kind: SidecarKind }
  | { readonly state: 'gone' }
  | { readonly state: 'unclear' };

/** Asks who listens at a port for this project. Never rejects, except when the signal aborts. */
export type Probe = (port: number, signal: AbortSignal) => Promise<Neighbour>;

const MAX_ANSWER_BYTES = 16 * 1024;
const healthSchema = z.object({ kind: z.enum(SIDECAR_KINDS), proof: z.string() });

/**
 * A probe for one project. The token is not sent: only a sidecar of the same user that has this project answers the
 * nonce rightly.
 */
export function probeFor(projectRoot: string, token: Secret): Probe {
  return async (port, signal) => {
    const nonce = newNonce();
    try {
      const answer = await health(port, nonce, projectRoot, signal);
      return readAnswer(answer, proveToken(token, nonce, projectRoot, port));
    } catch (error) {
      signal.throwIfAborted();
      return { state: hasCode(error, 'ECONNREFUSED') ? 'gone' : 'unclear' };
    }
  };
}

/**
 * Whether it is worth waiting longer for the holder of this project's port. A sidecar of the other kind stays; one of
 * the same kind may be the one whose place this process takes, which closes its listener before anything else.
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

function readAnswer(answer: string, proof: string): Neighbour {
  const parsed = healthSchema.safeParse(parseJson(answer));
  if (!parsed.success || !equalSecrets(parsed.data.proof, proof)) return { state: 'gone' };
  return { state: 'open', kind: parsed.data.kind };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A stranger's answer; the schema refuses undefined.
    return undefined;
  }
}

function health(port: number, nonce: string, root: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: LOOPBACK,
        port,
        path: `/health?nonce=${nonce}`,
        headers: { [HEADERS.projectRoot]: encodeURIComponent(root), connection: 'close' },
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > MAX_ANSWER_BYTES) response.destroy(new Error('too long for a sidecar'));
        });
        response.on('end', () => resolve(text));
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}
