import { MAX_FOUND_FILES } from '@devdb/shared/limits';
import { FoundPaths, listed } from './found.ts';

test('paths come sorted, each once, from the root', () => {
  const paths = new FoundPaths();
  for (const path of ['./b', 'a', './a']) expect(paths.add(path)).toBe(true);
  expect(paths.found).toEqual({ paths: ['a', 'b'], isCut: false });
});

test('no more than the limit are kept, and the answer says so', () => {
  const paths = new FoundPaths();
  for (let at = 0; at < MAX_FOUND_FILES; at += 1) expect(paths.add(`f${at}`)).toBe(true);
  expect(paths.add('one too many')).toBe(false);
  const { isCut, paths: kept } = paths.found;
  const { truncated, rest } = listed(kept, 3, { isCut });
  expect([isCut, kept.length, truncated]).toEqual([true, MAX_FOUND_FILES, true]);
  expect(rest).toBe(
    `There are more than ${MAX_FOUND_FILES}, at which the search was ended. Ask for less. 3 of ${MAX_FOUND_FILES} are shown. Pass a larger limit, or ask for less.`,
  );
});

test('a list that is whole has no word about it, but for a note', () => {
  expect(listed(['a'], undefined)).toEqual({ kept: ['a'], truncated: false });
  expect(listed(['a'], undefined, { note: 'Not read: x.' })).toEqual({
    kept: ['a'],
    truncated: false,
    rest: 'Not read: x.',
  });
});
