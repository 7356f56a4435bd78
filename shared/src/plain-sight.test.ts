import { withoutVoid, withUnseenShown } from './plain-sight.ts';

const shown = (text: string) => withUnseenShown(text, (number) => `[${number}]`);

describe('withUnseenShown', () => {
  test.each([
    ['turns text around', 'a\u202eb', 'a[U+202E]b'],
    ['has no width', 'a\u200bb', 'a[U+200B]b'],
    ['moves the cursor of a terminal', 'a\u001b[2Kb', 'a[U+001B][2Kb'],
    ['is a blank of another kind', 'a\u00a0b', 'a[U+00A0]b'],
    ['lies beyond the first plane', 'a\u{e0041}b', 'a[U+E0041]b'],
  ])('tells the number of a character that %s', (_what, text, told) => {
    expect(shown(text)).toBe(told);
  });

  test('leaves line ends, tabs and what can be seen', () => {
    expect(shown('SELECT\t1,\n  「é」 😀')).toBe('SELECT\t1,\n  「é」 😀');
  });
});

describe('withoutVoid', () => {
  test('tells runs of empty lines and of blanks in words, and keeps short ones', () => {
    expect(withoutVoid(`a\n\n\nb${'\n'.repeat(9)}c${' '.repeat(80)}d`)).toBe(
      'a\n\n\nb\n[8 empty lines]\nc [80 blanks] d',
    );
  });
});
