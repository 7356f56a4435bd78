import { lstatSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import type { ProjectPath } from './paths.ts';

/** Refuses a read-only file. The editor itself says so, or asks its user, only once the text is changed. */
export function refuseReadOnly({ absolute, relative }: ProjectPath): void {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o222) !== 0) return;
  throw new AppError('E_EDIT_FAILED', `${relative} is read-only.`, {
    hint: 'Ask the user whether it may be changed.',
    details: { applied: false },
  });
}
