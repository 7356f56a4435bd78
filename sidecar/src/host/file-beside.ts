import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode } from './error-code.ts';

/** Longer than any export may run. */
const ABANDONED_MS = 60 * 60_000;
/** `.<name>.devdb-<host>-<pid>-<random>.part` */
const BESIDE = /^\..+\.devdb-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.part$/;
/** The errors of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'];

/** A file being written under a temporary name in the folder of its final one, which it gets when it is complete. */
export interface FileBeside {
  readonly path: string;
  readonly handle: FileHandle;
}

/** Opens one beside `file`, after removing what dead processes left in the folder. */
export async function openBeside(file: string): Promise<FileBeside> {
  const folder = dirname(file);
  await removeLeftovers(folder);
  const path = join(
    folder,
    `.${basename(file)}.devdb-${thisHost()}-${process.pid}-${randomBytes(6).toString('hex')}.part`,
  );
  return { path, handle: await openNew(path) };
}

/**
 * Gives the file its final name, which must be free: otherwise EEXIST. Making a link either succeeds or fails, whatever
 * other processes do; on file systems without links, an empty file reserves the name first and is then replaced.
 */
export async function giveName(beside: FileBeside, file: string): Promise<void> {
  try {
    await link(beside.path, file);
  } catch (error) {
    if (!hasCode(error, ...NO_LINKS)) throw error;
    const reserved = await openNew(file);
    await reserved.close();
    await rename(beside.path, file);
    return;
  }
  await rm(beside.path, { force: true });
}

async function openNew(path: string): Promise<FileHandle> {
  // Windows has no O_NOFOLLOW; there O_EXCL alone refuses an existing link.
  const noFollow = constants.O_NOFOLLOW ?? 0;
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o644);
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, host, pid] = BESIDE.exec(name) ?? [];
    if (host === undefined) continue;
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined || !stats.isFile()) continue;
    const isOver = (host === thisHost() && isDead(Number(pid))) || Date.now() - stats.mtimeMs > ABANDONED_MS;
    if (isOver) await rm(path, { force: true });
  }
}

/** On a network drive another machine's process may be writing, and its pid means nothing here. */
function thisHost(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}
