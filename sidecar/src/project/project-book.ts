import { DatabaseBook } from '../databases/database-book.ts';
import type { EditorKept } from '../databases/kept-databases.ts';
import { Trust } from '../databases/trust.ts';
import { detectInChild } from '../detection/child/detect-in-child.ts';
import { containerDaemon } from '../detection/container-daemon.ts';
import { DETECTORS } from '../detection/index.ts';
import { isInsideContainer } from '../detection/inside-container.ts';
import { engineKinds } from '../engines/index.ts';
import type { LogEvent } from '../host/log.ts';
import type { Installation } from './installation.ts';

/** The databases of one project, with their stored approvals. */
export function projectBook(
  { home, lock, log, onBroken, bundleDir }: Pick<Installation, 'home' | 'lock' | 'log' | 'onBroken' | 'bundleDir'>,
  projectRoot: string,
  env: Readonly<Record<string, string | undefined>>,
  kept?: EditorKept,
): DatabaseBook {
  // Compose's host names resolve only inside one of its containers.
  const insideContainer = isInsideContainer(env);
  const containers = containerDaemon(env, insideContainer);
  const logEvent: LogEvent = (event, facts) => log('info', event, facts);
  return new DatabaseBook({
    projectRoot,
    look: (given) => detectInChild({ bundleDir, projectRoot, env, insideContainer, containers, log: logEvent }, given),
    detectors: DETECTORS,
    supported: engineKinds,
    trust: new Trust({ home, lock, projectRoot, now: () => new Date(), onBroken }),
    env,
    now: Date.now,
    kept,
  });
}
