import { errorPlace } from './error-place.ts';

const TEXT = "SELECT 1;\nSELECT '👩‍💻', nosuch\nFROM t";
const SPAN = { start: 10, end: TEXT.length };
const textOf = ({ start, end }: { start: number; end: number }) => TEXT.slice(start, end);

test('an error stands at the word that the database points to, counted in characters', () => {
  const position = [...TEXT.slice(10, TEXT.indexOf('nosuch'))].length + 1;
  expect(textOf(errorPlace(TEXT, SPAN, { details: { position } }))).toBe('nosuch');
});

test('without a position it stands at the first line of the statement', () => {
  expect(textOf(errorPlace(TEXT, SPAN, { details: undefined }))).toBe("SELECT '👩‍💻', nosuch");
  expect(textOf(errorPlace(TEXT, SPAN, { details: { position: 999 } }))).toBe("SELECT '👩‍💻', nosuch");
});
