import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { hasCode } from '../../host/error-code.ts';

const manifestSchema = z.object({ publisher: z.string(), name: z.string() });
const obsoleteSchema = z.record(z.string(), z.unknown());

/** Folders under the user's home that hold one folder per editor, with its extensions inside. */
const EDITORS_IN = ['.', join('.local', 'share'), join('Library', 'Application Support')];

/**
 * Other installed copies of the extension in `extensionDir`: newer ones in the same editor, and those of other editors,
 * which share DevDB's home. An editor whose extensions are in an unusual place is not noticed while it is not running.
 */
export function otherCopies(userHome: string, extensionDir: string): readonly string[] {
  const prefix = `${idOf(extensionDir)}-`.toLowerCase();
  const own = realPath(extensionDir);
  return extensionFolders(userHome, extensionDir)
    .flatMap((folder) => {
      const gone = obsoleteIn(folder);
      return namesIn(folder)
        .filter((name) => name.toLowerCase().startsWith(prefix) && !gone.has(name.toLowerCase()))
        .map((name) => join(folder, name));
    })
    .filter((copy) => existsSync(join(copy, 'package.json')) && realPath(copy) !== own);
}

function extensionFolders(userHome: string, extensionDir: string): readonly string[] {
  const others = EDITORS_IN.flatMap((place) => {
    const editors = namesIn(join(userHome, place));
    const isOne = (name: string) => place !== '.' || name.startsWith('.');
    return editors.filter(isOne).map((name) => join(userHome, place, name, 'extensions'));
  });
  return [...new Set([dirname(extensionDir), ...others].flatMap((folder) => realPath(folder) ?? []))];
}

/** Editors name an extension's folder `publisher.name-version`. */
function idOf(extensionDir: string): string {
  try {
    const { publisher, name } = manifestSchema.parse(
      JSON.parse(readFileSync(join(extensionDir, 'package.json'), 'utf8')),
    );
    return `${publisher}.${name}`;
  } catch {
    // The editor may already be deleting it; the folder's name still has the id.
    return basename(extensionDir).split(/-\d/, 1)[0] ?? '';
  }
}

/** Extensions that the editor has uninstalled but not deleted yet. */
function obsoleteIn(folder: string): ReadonlySet<string> {
  try {
    const names = obsoleteSchema.parse(JSON.parse(readFileSync(join(folder, '.obsolete'), 'utf8')));
    return new Set(Object.keys(names).map((name) => name.toLowerCase()));
  } catch {
    // Missing when nothing was uninstalled. A damaged file says nothing; then every folder present counts.
    return new Set();
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
