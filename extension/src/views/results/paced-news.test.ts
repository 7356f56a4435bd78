import { PacedNews } from './paced-news.ts';

let reports: number;
let news: PacedNews;

beforeEach(() => {
  jest.useFakeTimers();
  reports = 0;
  news = new PacedNews(() => {
    reports += 1;
  });
});

afterEach(() => {
  jest.useRealTimers();
});

/** How many reports there are after so much more time. */
function after(ms: number): number {
  jest.advanceTimersByTime(ms);
  return reports;
}

test('many changes are one report', () => {
  for (let change = 0; change < 100; change += 1) news.within(50);
  expect([after(49), after(1), after(1_000)]).toEqual([0, 1, 1]);
});

test('what can wait does not hold up what cannot, and comes along with it', () => {
  news.within(1_000);
  news.within(50);
  expect([after(50), after(2_000)]).toEqual([1, 1]);
});

test('what can wait puts off nothing', () => {
  news.within(50);
  news.within(1_000);
  expect([after(50), after(2_000)]).toEqual([1, 1]);
});

test('a change after a report is reported again', () => {
  news.within(50);
  after(50);
  news.within(1_000);
  expect([after(999), after(1)]).toEqual([1, 2]);
});

test('nothing is reported after its end', () => {
  news.within(50);
  news.end();
  expect(after(1_000)).toBe(0);
});
