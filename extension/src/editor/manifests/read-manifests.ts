import { basename, posix } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { pathText } from '@devdb/shared/plain-text';
import { openDocument } from '../file-text.ts';
import { readProjectFile } from '../foreign-file.ts';
import { MAX_MANIFEST_BYTES, MAX_MANIFESTS } from '../limits.ts';
import { existingPath } from '../paths.ts';
import { filesNamed } from '../search/search.ts';
import type { Waiting } from '../waiting.ts';
import { kindOf, MANIFEST_GLOBS, type ManifestKind } from './kinds.ts';
import { UnreadManifest } from './manifest.ts';
import type { FoundManifest } from './modules.ts';

const MAX_TOLD = 10;

export interface Manifests {
  readonly manifests: readonly FoundManifest[];
  readonly isCut: boolean;
  /** Which could not be read, and why. */
  readonly note: string | undefined;
}

/** Every manifest of the project that a search finds, read as text: nothing of the project is run. */
export async function readManifests(root: string, waiting: Waiting): Promise<Manifests> {
  const { signal } = waiting;
  const fits = (path: string) => kindOf(path) !== undefined;
  const { paths, isCut, note } = await filesNamed(root, { fits, only: MANIFEST_GLOBS }, waiting);
  const manifests: FoundManifest[] = [];
  const unread: string[] = [];
  for (const path of rootFirst(paths).slice(0, MAX_MANIFESTS)) {
    signal.throwIfAborted();
    const kind = kindOf(path);
    if (kind === undefined) continue;
    try {
      manifests.push(await readOne(root, path, kind, signal));
    } catch (error) {
      if (isTold(path, paths)) unread.push(`${pathText(path)} ${reasonOf(error)}`);
    }
  }
  const told = [...(note === undefined ? [] : [note]), ...(unread.length === 0 ? [] : [sentence(unread)])];
  const isAllRead = paths.length <= MAX_MANIFESTS;
  return { manifests, isCut: isCut || !isAllRead, note: told.length === 0 ? undefined : told.join(' ') };
}

async function readOne(root: string, path: string, kind: ManifestKind, signal: AbortSignal): Promise<FoundManifest> {
  const file = existingPath(root, path);
  const document = openDocument(file);
  const text = document?.isDirty
    ? document.getText()
    : new TextDecoder().decode(await readProjectFile(file, MAX_MANIFEST_BYTES, signal));
  const folderName = basename(posix.join(root, posix.dirname(path)));
  return { ...kind.read(text, path), kind: kind.kind, path, folderName };
}

/** setup.py beside a manifest that is read usually says nothing more. */
function isTold(path: string, all: readonly string[]): boolean {
  if (posix.basename(path).toLowerCase() !== 'setup.py') return true;
  const folder = posix.dirname(path);
  const others = all.filter((other) => other !== path && posix.dirname(other) === folder);
  return !others.some((other) => kindOf(other)?.kind === 'python');
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadManifest) return error.message;
  if (error instanceof AppError && error.code === 'E_FILE_TOO_LARGE') return 'is too large';
  if (error instanceof AppError) return 'cannot be opened';
  throw error;
}

function sentence(unread: readonly string[]): string {
  const more = unread.length > MAX_TOLD ? ` and ${unread.length - MAX_TOLD} more` : '';
  return `Not read: ${unread.slice(0, MAX_TOLD).join('; ')}${more}.`;
}

function rootFirst(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split('/').length;
  return [...paths].sort((one, other) => depth(one) - depth(other));
}
