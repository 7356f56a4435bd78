import * as z from 'zod';
import { method, notice } from './method.ts';

test('the schemas of a message are made when one is parsed, each for itself and once', () => {
  const made: string[] = [];
  const schemaOf = (what: string) => () => {
    made.push(what);
    return z.object({});
  };
  const call = method('test/call', schemaOf('params'), schemaOf('result'));
  const news = notice('test/news', schemaOf('news'));
  expect([call.name, news.name, made]).toEqual(['test/call', 'test/news', []]);
  expect(call.result).toBe(call.result);
  expect(made).toEqual(['result']);
  expect(news.params).toBe(news.params);
  expect(made).toEqual(['result', 'news']);
});
