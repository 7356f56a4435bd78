import { existsSync } from 'node:fs';
import { ConnectionBook } from './connections/connection-book.ts';
import type { EditorKept } from './connections/kept-connections.ts';
import { Trust } from './connections/trust.ts';
import { engineKinds } from './engines/index.ts';
import type { LogEvent } from './host/log.ts';
import type { Installation } from './installation.ts';
import { detectInChild } from './projects/child/detect-in-child.ts';
import { DETECTORS } from './projects/index.ts';

/** The databases of one project, with the approvals that are kept for them. */
export function projectBook(
  { home, lock, log, onBroken, bundleDir }: Pick<Installation, 'home' | 'lock' | 'log' | 'onBroken' | 'bundleDir'>,
  projectRoot: string,
  env: Readonly<Record<string, string | undefined>>,
  kept?: EditorKept,
): ConnectionBook {
  // Compose's host names mean something inside one of its containers.
  const insideContainer = existsSync('/.dockerenv');
  const logEvent: LogEvent = (event, facts) => log('info', event, facts);
  return new ConnectionBook({
    projectRoot,
    look: (given) => detectInChild({ bundleDir, projectRoot, env, insideContainer, log: logEvent }, given),
    detectors: DETECTORS,
    supported: engineKinds,
    trust: new Trust({ home, lock, projectRoot, now: () => new Date(), onBroken }),
    env,
    now: Date.now,
    kept,
  });
}
