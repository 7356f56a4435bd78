import { stat } from 'node:fs/promises';
import { untilAborted, withTimeout } from '@devdb/shared/abort';
import * as z from 'zod';
import { hasCode } from '../host/error-code.ts';
import { jsonOf } from '../host/files.ts';
import { REMEMBERED_PORT_DAYS, ROOT_CHECK_TIMEOUT_MS } from './limits.ts';

const DAY_MS = 24 * 60 * 60_000;

const portsSchema = z.record(
  z.string(),
  z.object({ port: z.int().min(1).max(65_535), lastUsed: z.iso.datetime({ offset: true }) }),
);

/** The port each project last had. */
export type RememberedPorts = Readonly<z.infer<typeof portsSchema>>;

/** Throws when the text is not a table of remembered ports. */
export const parseRememberedPorts = jsonOf(portsSchema);

/** Sets one project's port, and drops those of projects not opened for a long time. */
export function remember(ports: RememberedPorts, root: string, port: number, now: Date): RememberedPorts {
  const { [root]: _before, ...others } = stillRemembered(ports, now);
  return { ...others, [root]: { port, lastUsed: now.toISOString() } };
}

/** Without the ports of projects not opened for a long time. */
export function stillRemembered(ports: RememberedPorts, now: Date): RememberedPorts {
  const oldest = now.getTime() - REMEMBERED_PORT_DAYS * DAY_MS;
  return Object.fromEntries(Object.entries(ports).filter(([, { lastUsed }]) => Date.parse(lastUsed) >= oldest));
}

/**
 * The roots that no longer exist. Checked one after the other, with a limit in total: a hanging network drive may block
 * one thread of the pool but not this call. A root whose check did not finish is not gone.
 */
export async function goneRoots(roots: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  const deadline = withTimeout(signal, ROOT_CHECK_TIMEOUT_MS);
  for (const root of roots) {
    const state = await untilAborted(stateOf(root), deadline);
    if (deadline.aborted) break;
    if (state === 'gone') gone.add(root);
  }
  return gone;
}

async function stateOf(root: string): Promise<'there' | 'gone' | 'unknown'> {
  try {
    return (await stat(root)).isDirectory() ? 'there' : 'gone';
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR') ? 'gone' : 'unknown';
  }
}
