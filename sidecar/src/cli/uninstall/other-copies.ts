import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { hasCode } from '../../host/error-code.ts';

const manifestSchema = z.object({ publisher: z.string(), name: z.string() });
const obsoleteSchema = z.record(z.string(), z.unknown());

/** Folders of a person's home that hold one folder for each editor, in which its extensions lie. */
const EDITORS_IN = ['.', join('.local', 'share'), join('Library', 'Application Support')];

/**
 * Other installed copies of the extension in `extensionDir`: newer ones of the same editor, and those of other editors,
 * which share DevDB's home. An editor with its extensions in an unusual place is not seen while it does not run.
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

/** As editors name the folders of their extensions: `publisher.name-version`. */
function idOf(extensionDir: string): string {
  try {
    const { publisher, name } = manifestSchema.parse(
      JSON.parse(readFileSync(join(extensionDir, 'package.json'), 'utf8')),
    );
    return `${publisher}.${name}`;
  } catch {
    // The editor may have begun to delete it; its name says as much.
    return basename(extensionDir).split(/-\d/, 1)[0] ?? '';
  }
}

/** What an editor has uninstalled and not deleted yet. */
function obsoleteIn(folder: string): ReadonlySet<string> {
  try {
    const names = obsoleteSchema.parse(JSON.parse(readFileSync(join(folder, '.obsolete'), 'utf8')));
    return new Set(Object.keys(names).map((name) => name.toLowerCase()));
  } catch {
    // Absent where nothing was uninstalled; a damaged one says nothing, and then what lies there counts.
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
