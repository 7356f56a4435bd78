import { typeOfStatus } from './git-status.ts';

test.each([
  [0, 'MODIFIED'],
  [1, 'ADDED'],
  [2, 'DELETED'],
  [3, 'RENAMED'],
  [5, 'MODIFIED'],
  [6, 'DELETED'],
  [7, 'UNTRACKED'],
  [8, undefined],
  [11, 'TYPE_CHANGED'],
  [18, 'CONFLICT'],
  [99, 'MODIFIED'],
])('the git extension calls %d what an agent reads as %s', (status, type) => {
  expect(typeOfStatus(status)).toBe(type);
});
