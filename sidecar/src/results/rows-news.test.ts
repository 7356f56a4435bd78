import { ROWS_NEWS_MS } from './limits.ts';
import { RowsNews } from './rows-news.ts';

let told: string[];
let news: RowsNews;
beforeEach(() => {
  jest.useFakeTimers();
  told = [];
  news = new RowsNews({
    first: async () => {
      told.push('first');
    },
    more: () => told.push('more'),
  });
});
afterEach(() => {
  jest.useRealTimers();
});

test('the first rows are sent at once, and later ones together', async () => {
  for (let chunk = 0; chunk < 100; chunk += 1) news.changed(true);
  expect(told).toEqual(['first']);
  jest.advanceTimersByTime(ROWS_NEWS_MS);
  expect(told).toEqual(['first', 'more']);
  jest.advanceTimersByTime(10 * ROWS_NEWS_MS);
  await news.end();
  expect(told).toEqual(['first', 'more']);
});

test('columns without rows are sent at once, and the first rows when they come', async () => {
  news.changed(false);
  expect(told).toEqual(['more']);
  news.changed(true);
  expect(told).toEqual(['more', 'first']);
  news.changed(true);
  await news.end();
  expect(told).toEqual(['more', 'first', 'more']);
});

test('first rows that cannot be read any more fail nothing', async () => {
  const lost = new RowsNews({ first: () => Promise.reject(new Error('closed')), more: () => told.push('more') });
  lost.changed(true);
  lost.changed(true);
  await lost.end();
  expect(told).toEqual(['more']);
});
