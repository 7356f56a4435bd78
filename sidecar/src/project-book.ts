import { existsSync } from 'node:fs';
import { ConnectionBook } from './connections/connection-book.ts';
import type { EditorKept } from './connections/kept-connections.ts';
import { Trust } from './connections/trust.ts';
import { engineKinds } from './engines/index.ts';
import type { Installation } from './installation.ts';
import { DETECTORS } from './projects/index.ts';

/** The databases of one project, with the approvals that are kept for them. */
export function projectBook(
  { home, lock, log, onBroken }: Pick<Installation, 'home' | 'lock' | 'log' | 'onBroken'>,
  projectRoot: string,
  env: Readonly<Record<string, string | undefined>>,
  kept?: EditorKept,
): ConnectionBook {
  return new ConnectionBook({
    projectRoot,
    detectors: DETECTORS,
    supported: engineKinds,
    trust: new Trust({ home, lock, projectRoot, now: () => new Date(), onBroken }),
    env,
    // Compose's host names mean something inside one of its containers.
    insideContainer: existsSync('/.dockerenv'),
    now: Date.now,
    kept,
    log: (event, facts) => log('info', event, facts),
  });
}
