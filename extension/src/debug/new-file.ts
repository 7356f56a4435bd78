import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { type ProjectPath, projectPath } from '../editor/paths.ts';

const ENDING = /\.jsonl$/i;

/** A place for a new file of the project: in a folder that is there, no dot name, nothing overwritten, no link followed. */
export function newFile(root: string, path: string): ProjectPath {
  const place = projectPath(root, path);
  const { relative } = place;
  if (!ENDING.test(relative) || relative.split('/').some((part) => part.startsWith('.')))
    throw new AppError('E_INVALID_PATH', `${relative} is no name for it.`, {
      hint: 'The name ends with .jsonl, and no part of the path begins with a dot.',
    });
  const folder = dirname(place.absolute);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new AppError('E_FILE_NOT_FOUND', `The folder of ${relative} does not exist.`, { hint: 'Make it first.' });
  const real = join(realpathSync(folder), basename(place.absolute));
  if (existsSync(real))
    throw new AppError('E_ALREADY_EXISTS', `${relative} exists already.`, { hint: 'Choose another name.' });
  return { absolute: real, relative };
}
