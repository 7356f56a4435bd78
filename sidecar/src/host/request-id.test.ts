import { newRequestId } from './request-id.ts';

test('no two of many ids are equal, and each has eight characters that need no quoting', () => {
  const ids = Array.from({ length: 5_000 }, newRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[\w-]{8}$/.test(id))).toEqual([]);
});
