import { plain } from '@devdb/shared/plain-text';
import type { ApprovalsPolicy } from '@devdb/shared/protocol/handshake';
import { codeActions } from '@devdb/shared/tools/code/code_actions';
import { Alarms } from './alarms.ts';
import { Approvals } from './approvals.ts';
import { Deadline } from './deadline.ts';
import { Policy } from './policy.ts';

const LISTING = { path: 'src/a.ts' };
const APPLYING = { path: 'src/a.ts', apply: 'Organize Imports' };

async function codeOf(
  settings: { readonly trusted: boolean; readonly approvals: ApprovalsPolicy },
  input: Record<string, unknown>,
): Promise<string> {
  const { signal } = new AbortController();
  const deadline = new Deadline(codeActions, 60_000, signal, new Alarms());
  const caller = { door: 'rest', clientId: 'a', clientName: plain`x`, signal, progress: () => undefined } as const;
  try {
    await new Policy(new Approvals()).check(settings, codeActions, input, { caller, deadline }, undefined);
    return 'runs';
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
  } finally {
    deadline.end();
  }
}

test.each([
  ['always', true],
  ['deny', true],
  ['ask', false],
] as const)('a call that changes nothing runs under %s, trusted: %s', async (approvals, trusted) => {
  expect(await codeOf({ approvals, trusted }, LISTING)).toBe('runs');
});

test.each([
  ['always', true, 'E_CONFIRMATION_REQUIRED'],
  ['deny', true, 'E_APPROVAL_DENIED'],
  ['allow', false, 'E_UNTRUSTED_WORKSPACE'],
  ['ask', true, 'runs'],
] as const)(
  'one of the same tool that changes something, under %s, trusted: %s: %s',
  async (approvals, trusted, code) => {
    expect(await codeOf({ approvals, trusted }, APPLYING)).toBe(code);
  },
);
