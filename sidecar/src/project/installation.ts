import type { AnswerRoom } from '../dispatch/answer-room.ts';
import type { HeldBytes } from '../engines/held-bytes.ts';
import type { OnBroken } from '../host/files.ts';
import type { Home } from '../host/home.ts';
import type { Log } from '../host/log.ts';
import type { Secret } from '../host/secret.ts';
import { ensureToken } from '../registry/ensure-token.ts';
import { HomeLock } from '../registry/home-lock.ts';
import { RegistryFile } from '../registry/registry-file.ts';

/** What all projects of one process share: the user's DevDB home and its content. */
export interface Installation {
  readonly home: Home;
  readonly bundleDir: string;
  readonly lock: HomeLock;
  readonly registry: RegistryFile;
  readonly token: Secret;
  /** Where a project without a port of its own looks for a free one first. */
  readonly firstPort: number;
  readonly log: Log;
  /** Called for a file that did not parse and was moved aside. */
  readonly onBroken: OnBroken;
  /** The memory budget for large values of all databases. */
  readonly held: HeldBytes;
  /** The memory budget for the answers of all projects. */
  readonly answers: AnswerRoom;
}

export interface InstallationParts {
  readonly home: Home;
  readonly firstPort: number;
  readonly bundleDir: string;
  readonly log: Log;
  readonly held: HeldBytes;
  readonly answers: AnswerRoom;
}

/** Opens the home; makes it, its token and its files where they are missing. */
export async function openInstallation(parts: InstallationParts, signal: AbortSignal): Promise<Installation> {
  const { home, firstPort, bundleDir, log, held, answers } = parts;
  const lock = new HomeLock({ home, bundleDir });
  const onBroken: OnBroken = ({ file, movedTo, cause }) => {
    log('warn', 'file-set-aside', { file, movedTo, cause: String(cause) });
  };
  const token = await ensureToken({ home, lock, onBroken }, signal);
  return {
    home,
    bundleDir,
    lock,
    registry: new RegistryFile({ home, lock, onBroken }),
    token,
    firstPort,
    log,
    onBroken,
    held,
    answers,
  };
}
