import { ERROR_CODES } from '@devdb/shared/errors';
import { refusedFailure } from './refusal.ts';
import { badRoot, failureResult, notOpen, UNREACHABLE } from './tool-results.ts';

it('keeps literal messages as the text and everything else in the envelope', () => {
  expect(JSON.parse(failureResult(UNREACHABLE, Date.now()))).toMatchObject({
    content: [{ type: 'text', text: 'Could not establish database connection' }],
    structuredContent: { ok: false, type: 'error', error: { code: 'E_UNREACHABLE', retryable: true } },
    isError: true,
  });
});

it('marks a failure retryable as the table of codes does, and not when the table lacks its code', () => {
  const facts = { tool: 't', entryVersion: '1', serverVersion: '2' };
  const isRetryable = (code: string): unknown => {
    const failure = refusedFailure(JSON.stringify({ error: { code, message: 'No.' } }), facts);
    return JSON.parse(failureResult(failure, Date.now())).structuredContent.error.retryable;
  };
  for (const [code, { retryable }] of Object.entries(ERROR_CODES))
    expect([code, isRetryable(code)]).toEqual([code, retryable]);
  expect(isRetryable('E_OF_A_NEWER_VERSION')).toBe(false);
});

it('names at most ten open roots and counts the others', () => {
  const roots = Array.from({ length: 13 }, (_unused, index) => `/p/${index}`);
  const { hint = '' } = notOpen('/q', '/q', roots);
  expect(hint.match(/\/p\//g)).toHaveLength(10);
  expect(hint).toContain('and 3 more');
});

it('names the parent folder before one deep beside it', () => {
  const { hint } = notOpen('/w/shop/api', '/w/shop/api', ['/x', '/w/shop/packages/web/app', '/w', '/w/shop']);
  expect(hint).toContain('open now: /w/shop, /w/shop/packages/web/app, /w, /x.');
});

it('does not name the root itself when its entry is stale', () => {
  expect(notOpen('/q', '/q', ['/q']).hint).toContain('no project is open');
});

it.each([
  ['/mnt/d/work/app', 'missing', 'win32', 'D:\\work\\app'],
  ['C:\\Users\\me', 'relative', 'linux', '/mnt/c/Users/me'],
  ['c:/Users/me', 'relative', 'linux', '/mnt/c/Users/me'],
  ['\\\\wsl$\\Ubuntu', 'relative', 'linux', 'pass /'],
  ['/mnt/c/work/app', 'missing', 'linux', 'the WSL path of a Windows folder'],
] as const)('gives the name of %s (%s on %s) here', (asked, why, platform, here) => {
  expect(badRoot(asked, why, platform).hint).toContain(here);
});

it.each([
  ['\\\\wsl$\\Ubuntu\\home\\me', 'win32', 'run the agent in WSL'],
  ['\\\\wsl.localhost\\Ubuntu\\home', 'win32', 'run the agent in WSL'],
  ['/mnt/c/work', 'linux', 'run the agent on Windows'],
] as const)('says from where the window of %s is reached (%s)', (root, platform, where) => {
  const { message, hint } = notOpen(root, root, ['/p/open'], platform);
  expect(message).toBe(`Error: MCP server not running for project: ${root}`);
  expect(hint).toContain(where);
  expect(hint).toContain('/p/open');
  expect(notOpen(root, root, [], 'darwin').hint).not.toContain(where);
});
