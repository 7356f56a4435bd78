import type { CHANGE_TYPES } from '@devdb/shared/tools/ide/get_project_vcs_status';

export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The git extension's numbers for what became of a file, in its order; ignored files are no changes. */
const TYPES: readonly (ChangeType | undefined)[] = [
  'MODIFIED', // in the index
  'ADDED',
  'DELETED',
  'RENAMED',
  'COPIED',
  'MODIFIED', // in the working tree
  'DELETED',
  'UNTRACKED',
  undefined,
  'ADDED', // intended to be added
  'RENAMED',
  'TYPE_CHANGED',
  'CONFLICT', // added by us, and the other ways of a merge
  'CONFLICT',
  'CONFLICT',
  'CONFLICT',
  'CONFLICT',
  'CONFLICT',
  'CONFLICT',
];

/** What became of a file, by the number that the git extension gives. A number it did not have then is a modification. */
export function typeOfStatus(status: number): ChangeType | undefined {
  return status in TYPES ? TYPES[status] : 'MODIFIED';
}
