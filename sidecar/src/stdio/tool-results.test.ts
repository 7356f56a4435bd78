import { ERROR_CODES } from '@devdb/shared/errors';
import { badRoot, failureResult, notOpen, RETRYABLE, UNREACHABLE } from './tool-results.ts';

it('calls the same codes retryable as the table of codes', () => {
  const retryable = Object.entries(ERROR_CODES).flatMap(([code, { retryable }]) => (retryable ? [code] : []));
  expect([...RETRYABLE].sort()).toEqual(retryable.sort());
});

it('keeps literal sentences as the text and everything else in the envelope', () => {
  expect(JSON.parse(failureResult(UNREACHABLE, Date.now()))).toMatchObject({
    content: [{ type: 'text', text: 'Could not establish database connection' }],
    structuredContent: { ok: false, type: 'error', error: { code: 'E_UNREACHABLE', retryable: true } },
    isError: true,
  });
});

it('names at most ten open roots and counts the others', () => {
  const roots = Array.from({ length: 13 }, (_unused, index) => `/p/${index}`);
  const { hint = '' } = notOpen('/q', '/q', roots);
  expect(hint.match(/\/p\//g)).toHaveLength(10);
  expect(hint).toContain('and 3 more');
});

it('does not name the root itself when its entry is stale', () => {
  expect(notOpen('/q', '/q', ['/q']).hint).toContain('no project is open');
});

it.each([
  ['/mnt/d/work/app', 'missing', 'win32', 'D:\\work\\app'],
  ['C:\\Users\\me', 'relative', 'linux', '/mnt/c/Users/me'],
  ['c:/Users/me', 'relative', 'linux', '/mnt/c/Users/me'],
  ['\\\\wsl$\\Ubuntu', 'relative', 'linux', 'pass /'],
] as const)('says how %s (%s on %s) is called here', (asked, why, platform, here) => {
  expect(badRoot(asked, why, platform).hint).toContain(here);
});
