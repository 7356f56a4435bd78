import { MOST_REQUESTS, PAGE_ROWS } from './limits.ts';
import { RowCache } from './row-cache.ts';

interface Request {
  readonly from: number;
  readonly count: number;
  readonly answer: (rows: number) => void;
}

function cacheOf(rows: number) {
  const requests: Request[] = [];
  let news = 0;
  const cache = new RowCache<number[]>(
    (from, count) =>
      new Promise((resolve) => {
        requests.push({
          from,
          count,
          answer: (many) => resolve(Array.from({ length: many }, (_, at) => [from + at])),
        });
      }),
    () => {
      news += 1;
    },
    (error) => {
      throw error;
    },
  );
  cache.grow(rows);
  return { cache, requests, told: () => news };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('asks for the page on show, and has its rows when the answer has come', async () => {
  const { cache, requests, told } = cacheOf(1_000_000);
  cache.want(999_990, 1_000_000);
  expect(requests).toMatchObject([{ from: 1_000_000 - PAGE_ROWS, count: PAGE_ROWS }]);
  expect(cache.row(999_999)).toBeUndefined();
  requests[0]?.answer(PAGE_ROWS);
  await settled();
  expect([cache.row(999_999), told()]).toEqual([[999_999], 1]);
});

test('who scrolls far waits for the place where they stop, not for every place before it', async () => {
  const { cache, requests } = cacheOf(1_000_000);
  for (let from = 0; from < 900_000; from += 10_000) cache.want(from, from + 40);
  expect(requests).toHaveLength(MOST_REQUESTS);
  requests[0]?.answer(PAGE_ROWS);
  await settled();
  expect(requests[MOST_REQUESTS]?.from).toBe(890_000);
});

test('asks on where rows are so large that fewer come at a time', async () => {
  const { cache, requests } = cacheOf(10);
  cache.want(0, 10);
  for (const many of [4, 6]) {
    requests[requests.length - 1]?.answer(many);
    await settled();
  }
  expect(requests.map(({ from, count }) => [from, count])).toEqual([
    [0, 10],
    [4, 6],
  ]);
  expect(cache.row(9)).toEqual([9]);
});

test('the first rows are there without being asked for, and stay until the whole page is', async () => {
  const { cache, requests, told } = cacheOf(0);
  cache.grow(1_000);
  cache.begin([[0], [1]]);
  expect([cache.row(1), told()]).toEqual([[1], 1]);
  cache.want(0, 40);
  expect(requests).toMatchObject([{ from: 0, count: PAGE_ROWS }]);
  expect(cache.row(1)).toEqual([1]);
  requests[0]?.answer(PAGE_ROWS);
  await settled();
  expect(cache.row(PAGE_ROWS - 1)).toEqual([PAGE_ROWS - 1]);
  cache.want(0, 40);
  expect(requests).toHaveLength(1);
});

test('rows stay on show while their page is read again', async () => {
  const { cache, requests } = cacheOf(3);
  cache.want(0, 10);
  requests[0]?.answer(3);
  await settled();
  cache.grow(5);
  expect(cache.row(2)).toEqual([2]);
  expect(requests).toHaveLength(2);
});

test('reads the last page again when there are more rows', async () => {
  const { cache, requests } = cacheOf(3);
  cache.want(0, 10);
  requests[0]?.answer(3);
  await settled();
  expect(cache.row(3)).toBeUndefined();
  cache.grow(5);
  requests[1]?.answer(5);
  await settled();
  expect(cache.row(4)).toEqual([4]);
});
