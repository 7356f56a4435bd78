import { execFileSync } from 'node:child_process';
import { isPlain } from '@devdb/shared/plain-text';
import { testWhere } from '../../../fixtures/labs/needs.ts';
import { atPrompt, inQuotes } from './prompt-words.ts';

const PATHS = [
  '/plain/path-1.0',
  '/two words',
  '/a "quoted" one',
  '/pays $HOME `id` $(id)',
  "/o'clock",
  '/back\\slash\\',
  '/é ✓ 名',
  '/two\nlines\u202e and \u001b[2K',
];

const inShell = testWhere(process.platform !== 'win32', 'words for a shell', 'there is no sh on Windows');

inShell.each(PATHS)('a shell takes %s as it is', (path) => {
  const script = `printf '%s\\n' ${inQuotes(path, 'linux')} ${atPrompt(path, 'linux')}`;
  expect(isPlain(script)).toBe(true);
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(`${path}\n${path}\n`);
});

test('quotes are used where they are needed', () => {
  expect([atPrompt('/plain/path-1.0', 'linux'), atPrompt('C:\\plain', 'win32')]).toEqual([
    '/plain/path-1.0',
    'C:\\plain',
  ]);
  expect([atPrompt('/two words', 'linux'), atPrompt('C:\\two words\\', 'win32')]).toEqual([
    '"/two words"',
    '"C:\\two words\\"',
  ]);
});
