import { RELATIVE_PATH, referenceTo } from './references.ts';

test.each([
  ['/p/src/words/greeting.ts', "import { greeting } from './words/greeting';"],
  ['/p/src/greeting.ts', 'import { greeting } from "./greeting";'],
  ['/p/src/greeting.mts', "export * from '../greeting.mjs';"],
  ['/p/src/größe 文.ts', "import './größe 文';"],
  ['/p/src/a+b[1].ts', "const it = await import('./a+b[1]');"],
  ['/p/src/texts', "import { greeting } from './texts/greeting';"],
  ['/p/src/words/index.ts', "import { greeting } from './words';"],
  ['/p/pkg/words.py', 'from pkg.words import greeting'],
  ['/p/pkg/words.py', 'import words'],
  ['/p/docs/guide.md', '[the guide](guide.md)'],
])('a reference to %s is recognized: %s', (path, line) => {
  expect(referenceTo(path).test(line)).toBe(true);
});

test.each([
  ['/p/src/greeting.ts', 'a greeting for everybody'],
  ['/p/src/greeting.ts', "import './greetings';"],
  ['/p/src/greeting.ts', "import './my-greeting';"],
  ['/p/src/größe.ts', "import './größer';"],
])("a line that only contains the word %s is the user's typing: %s", (path, line) => {
  expect(referenceTo(path).test(line)).toBe(false);
});

test.each(["import { a } from '../a';", 'import "./a";', "require('/a')", '[a](./a.md)'])(
  '%s is relative to its own file',
  (line) => {
    expect(RELATIVE_PATH.test(line)).toBe(true);
  },
);

test("other lines of a moved file are the user's typing", () => {
  expect(RELATIVE_PATH.test('// half / half')).toBe(false);
});
