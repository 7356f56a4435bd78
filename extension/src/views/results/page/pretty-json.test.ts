import fc from 'fast-check';
import { prettyJson } from './pretty-json.ts';

test('JSON is shown a value a line; what is none is not', () => {
  expect(prettyJson('{"a":[1,{}],"b":[]}')).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}');
  expect(prettyJson('12')).toBeUndefined();
  expect(prettyJson('{"a"')).toBeUndefined();
});

test('keeps every digit of a number', () => {
  expect(prettyJson('[9007199254740993,1.10]')).toBe('[\n  9007199254740993,\n  1.10\n]');
});

test('means the same, whatever stands in the texts', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify([value]);
      expect(JSON.parse(prettyJson(text) ?? '')).toEqual(JSON.parse(text));
    }),
  );
});
