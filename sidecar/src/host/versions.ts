import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { hasCode } from './error-code.ts';
import { atomicWrite } from './files.ts';
import { ensureHome, FILE_MODE, FOLDER_MODE, type Home } from './home.ts';
import { readIfThere } from './read-file.ts';
import { compareVersions } from './version-order.ts';

/** The only folder of a copy that changes: compiled code. */
const CACHE_DIR = 'cache';
const HASH_DIGITS = 12;
const LAUNCHER = 'launcher.js';

export interface InstallParts {
  readonly home: Home;
  /** The bundle as built, or as shipped in the extension. */
  readonly bundleDir: string;
  readonly version: string;
}

/** Copies the bundle into the home if it is not there yet, and its launcher if newer. Returns the copy's folder. */
export async function installBundle({ home, bundleDir, version }: InstallParts): Promise<string> {
  ensureHome(home);
  const dir = (await isCopy(home, bundleDir)) ? bundleDir : await installCopy(home, bundleDir, version);
  await installLauncher(home, dir, version);
  return dir;
}

/** By real path, so that a home reached through a link does not make a copy look like another bundle. */
async function isCopy(home: Home, bundleDir: string): Promise<boolean> {
  try {
    return (await realpath(dirname(bundleDir))) === (await realpath(home.versions));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

interface BundleFile {
  readonly path: string;
  readonly bytes: Buffer;
}

async function installCopy(home: Home, bundleDir: string, version: string): Promise<string> {
  const files = await readBundle(bundleDir);
  const dir = join(home.versions, `${version}-${hashOf(files)}`);
  if ((await isWhole(dir, files)) && (await touch(dir))) return dir;
  const fresh = join(home.versions, `.new-${randomBytes(6).toString('hex')}`);
  try {
    await writeBundle(fresh, files);
    await moveInto(fresh, dir, files);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return dir;
}

/** Among copies of one version the launcher prefers the last installed. False when it was pruned just now. */
async function touch(dir: string): Promise<boolean> {
  try {
    await utimes(dir, new Date(), new Date());
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** The first process moves its copy there; the others find the same bytes. */
async function moveInto(fresh: string, dir: string, files: readonly BundleFile[]): Promise<void> {
  try {
    await rename(fresh, dir);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES')) throw error;
    if (await isWhole(dir, files)) return;
    // Damaged, by a power cut for example, so it is moved away.
    await rename(dir, `${fresh}-damaged`);
    await rename(fresh, dir);
    await rm(`${fresh}-damaged`, { recursive: true, force: true });
  }
}

async function readBundle(bundleDir: string): Promise<BundleFile[]> {
  const paths = (await filesIn(bundleDir)).map((path) => path.slice(bundleDir.length + 1)).sort();
  if (!paths.includes(LAUNCHER)) {
    throw new AppError('E_INTERNAL', `${bundleDir} does not hold a whole DevDB bundle: ${LAUNCHER} is missing.`, {
      hint: 'Install the DevDB extension again, or build it with `npm run build`.',
    });
  }
  return Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(join(bundleDir, path)) })));
}

/** Without the compiled code, which another user may have left there unreadable for others. */
async function filesIn(bundleDir: string): Promise<string[]> {
  const top = await readdir(bundleDir, { withFileTypes: true });
  const below = top.filter((entry) => entry.isDirectory() && entry.name !== CACHE_DIR);
  const lists = await Promise.all(
    below.map((entry) => readdir(join(bundleDir, entry.name), { recursive: true, withFileTypes: true })),
  );
  return [...top, ...lists.flat()].filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function hashOf(files: readonly BundleFile[]): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of files) hash.update(`${path.split(sep).join('/')}\n${bytes.length}\n`).update(bytes);
  return hash.digest('hex').slice(0, HASH_DIGITS);
}

/** Writes exactly the bytes that were hashed, so that a concurrent build cannot interfere. */
async function writeBundle(dir: string, files: readonly BundleFile[]): Promise<void> {
  await mkdir(dirname(dir), { recursive: true, mode: FOLDER_MODE });
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true, mode: FOLDER_MODE });
    await writeFile(join(dir, path), bytes, { mode: FILE_MODE });
  }
}

async function isWhole(dir: string, files: readonly BundleFile[]): Promise<boolean> {
  const sizes = await Promise.all(files.map(({ path }) => sizeOf(join(dir, path))));
  return files.every(({ bytes }, at) => sizes[at] === bytes.length);
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

const LAUNCHER_HEAD = /^\/\/ DevDB launcher (\S+)\n/;

async function installLauncher(home: Home, dir: string, version: string): Promise<void> {
  const wanted = `// DevDB launcher ${version}\n${await readFile(join(dir, LAUNCHER), 'utf8')}`;
  const present = readIfThere(home.launcher);
  const installed = present === undefined ? undefined : LAUNCHER_HEAD.exec(present)?.[1];
  if (present === wanted || (installed !== undefined && compareVersions(installed, version) > 0)) return;
  await mkdir(dirname(home.launcher), { recursive: true, mode: FOLDER_MODE });
  atomicWrite(home.launcher, wanted);
}
