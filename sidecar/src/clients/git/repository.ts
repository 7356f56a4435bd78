import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../host/inside.ts';
import { configValues } from './config-values.ts';
import { readGitText, Undecided } from './undecided.ts';

/** A working tree and the folders of its repository. All paths are free of links. */
export interface Repository {
  readonly workTree: string;
  /** What belongs to this working tree alone. */
  readonly gitDir: string;
  /** What all working trees of the repository share. */
  readonly commonDir: string;
  /** The length of its object names. */
  readonly hashBytes: number;
}

const MAX_POINTER_BYTES = 16 * 1024;
const MAX_CONFIG_BYTES = 512 * 1024;
const HASH_BYTES = new Map([
  ['sha1', 20],
  ['sha256', 32],
]);

/**
 * The repository whose working tree holds a folder; undefined where there is none. Only entries named `.git` count: a
 * folder that merely looks like a repository can be committed. Throws Undecided for a repository outside its working
 * tree that does not point back at the tree, since anybody can write a `.git` file that names somebody else's.
 */
export function findRepository(start: string): Repository | undefined {
  const folder = realPathOf(start);
  if (folder === undefined) return undefined;
  for (let tree = folder; ; tree = dirname(tree)) {
    const link = join(tree, '.git');
    const gitDir = gitDirOf(tree, link);
    if (gitDir !== undefined) return repositoryAt(folder, tree, link, gitDir);
    if (tree === dirname(tree)) return undefined;
  }
}

/** Undefined where there is no `.git`, or an empty folder of that name, which Git ignores too. */
function gitDirOf(tree: string, link: string): string | undefined {
  const stats = statsOf(link, statSync);
  if (stats === undefined) {
    if (statsOf(link, lstatSync) !== undefined) throw new Undecided(`${link} is a dangling link`);
    return undefined;
  }
  if (stats.isDirectory()) return isGitDir(link) ? realpathSync(link) : undefined;
  const [, target] = /^gitdir: ([^\0\r\n]+)\r?\n?$/.exec(utf8(readGitText(link, MAX_POINTER_BYTES)) ?? '') ?? [];
  const gitDir = target === undefined ? undefined : realPathOf(resolve(tree, target));
  if (gitDir === undefined || !isGitDir(gitDir)) throw new Undecided(`${link} leads to no repository`);
  return gitDir;
}

function repositoryAt(folder: string, workTree: string, link: string, gitDir: string): Repository | undefined {
  if (isInside(gitDir, folder)) return undefined;
  if (workTree !== folder && lstatSync(link).uid !== lstatSync(folder).uid)
    throw new Undecided(`${link} belongs to another user than ${folder}`);
  const common = utf8(readGitText(join(gitDir, 'commondir'), MAX_POINTER_BYTES));
  return common === undefined
    ? ownRepository(workTree, link, gitDir)
    : linkedTree(workTree, link, gitDir, resolve(gitDir, withoutLineEnd(common)));
}

/** `git worktree add`: the repository lists the tree as one of its own. */
function linkedTree(workTree: string, link: string, gitDir: string, common: string): Repository {
  const commonDir = realPathOf(common);
  const back = withoutLineEnd(utf8(readGitText(join(gitDir, 'gitdir'), MAX_POINTER_BYTES)) ?? '');
  const isListed = commonDir !== undefined && dirname(gitDir) === join(commonDir, 'worktrees');
  if (!isListed || realPathOf(resolve(gitDir, back)) !== link) throw foreign(link, gitDir);
  return { workTree, gitDir, commonDir, hashBytes: hashBytesOf(settingsOf(commonDir, commonDir)) };
}

/** A repository with one working tree: its `.git` folder, or one elsewhere whose `core.worktree` names the tree. */
function ownRepository(workTree: string, link: string, gitDir: string): Repository | undefined {
  const settings = settingsOf(gitDir, gitDir);
  const named = settings.get('core.worktree');
  const isNamed = named !== undefined && realPathOf(resolve(gitDir, utf8(named) ?? '')) === workTree;
  if (!isNamed && (named !== undefined || !isInside(workTree, gitDir))) throw foreign(link, gitDir);
  if (/^(true|yes|on|1)$/i.test(settings.get('core.bare') ?? '')) return undefined;
  return { workTree, gitDir, commonDir: gitDir, hashBytes: hashBytesOf(settings) };
}

function settingsOf(commonDir: string, gitDir: string): ReadonlyMap<string, string> {
  const shared = configValues(readGitText(join(commonDir, 'config'), MAX_CONFIG_BYTES) ?? '');
  if (!shared.has('extensions.worktreeconfig')) return shared;
  const own = configValues(readGitText(join(gitDir, 'config.worktree'), MAX_CONFIG_BYTES) ?? '');
  return new Map([...shared, ...own]);
}

function hashBytesOf(settings: ReadonlyMap<string, string>): number {
  const format = settings.get('extensions.objectformat') ?? 'sha1';
  const bytes = HASH_BYTES.get(format.toLowerCase());
  if (bytes === undefined) throw new Undecided('its object format is not known');
  return bytes;
}

function isGitDir(path: string): boolean {
  if (statsOf(join(path, 'HEAD'), lstatSync) === undefined) return false;
  if (statsOf(join(path, 'commondir'), lstatSync) !== undefined) return true;
  return ['objects', 'refs'].every((name) => statsOf(join(path, name), statSync)?.isDirectory() === true);
}

function foreign(link: string, gitDir: string): Undecided {
  return new Undecided(`${link} leads to ${gitDir}, which does not name this folder as its working tree`);
}

function statsOf(path: string, ask: typeof statSync): Stats | undefined {
  try {
    return ask(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new Undecided(`${path} cannot be read`, { cause: error });
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function utf8(bytes: string | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString('utf8');
}
