import { plain } from '@devdb/shared/plain-text';
import type { Question } from '@devdb/shared/protocol';
import type { ApprovalsPolicy } from '@devdb/shared/protocol/handshake';
import { codeActions } from '@devdb/shared/tools/code/code_actions';
import type { ToolDefinition } from '@devdb/shared/tools/define-tool';
import { executeTerminalCommand } from '@devdb/shared/tools/ide/execute_terminal_command';
import { runConfiguration } from '@devdb/shared/tools/ide/run_configuration';
import { setSetting } from '@devdb/shared/tools/refactor/set_setting';
import { Alarms } from './alarms.ts';
import { Approvals, type Ask } from './approvals.ts';
import { Deadline } from './deadline.ts';
import { Policy } from './policy.ts';

const LISTING = { path: 'src/a.ts' };
const APPLYING = { path: 'src/a.ts', apply: 'Organize Imports' };

type Change = Parameters<Policy['checkFinal']>[1];

function callOf(tool: ToolDefinition) {
  const { signal } = new AbortController();
  const deadline = new Deadline(tool, 60_000, signal, new Alarms());
  const caller = { door: 'rest', clientId: 'a', clientName: plain`x`, signal, progress: () => undefined } as const;
  return { caller, deadline };
}

/** The question that a user would see. */
async function questionFor(ask: (policy: Policy, dialog: Ask) => Promise<void>): Promise<Question> {
  const asked: Question[] = [];
  await ask(new Policy(new Approvals()), async (question) => {
    asked.push(question);
    return 'once';
  });
  const [question] = asked;
  if (question === undefined) throw new Error('No question was asked.');
  return question;
}

function questionBefore(tool: ToolDefinition, input: Record<string, unknown>): Promise<Question> {
  const settings = { trusted: true, approvals: 'always' } as const;
  const call = callOf(tool);
  return questionFor((policy, dialog) => policy.check(settings, tool, input, call, dialog)).finally(() =>
    call.deadline.end(),
  );
}

function questionBeforeFinal(change: Change): Promise<Question> {
  const call = callOf(change.tool);
  return questionFor((policy, dialog) =>
    policy.checkFinal({ trusted: true, approvals: 'ask' }, change, call, dialog),
  ).finally(() => call.deadline.end());
}

async function codeOf(
  settings: { readonly trusted: boolean; readonly approvals: ApprovalsPolicy },
  input: Record<string, unknown>,
): Promise<string> {
  const call = callOf(codeActions);
  try {
    await new Policy(new Approvals()).check(settings, codeActions, input, call, undefined);
    return 'runs';
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
  } finally {
    call.deadline.end();
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

test('a question says what a yes for the session covers: the tool for an edit, the very same for a command', async () => {
  expect(await questionBefore(codeActions, APPLYING)).toMatchObject({ session: 'tool' });
  expect(await questionBefore(executeTerminalCommand, { command: 'ls' })).toMatchObject({ session: 'same' });
});

test('a question about a file that only the editor knows of covers that file, and one about a run that run', async () => {
  const change = { file: 'src/a.ts', because: ['unsaved'] } as const;
  expect(await questionBeforeFinal({ tool: codeActions, input: APPLYING, change })).toMatchObject({ session: 'file' });
  const run = { title: 'Greet', statement: 'node greet.js' };
  const input = { configName: 'Greet' };
  expect(await questionBeforeFinal({ tool: runConfiguration, input, change: run })).toMatchObject({ session: 'same' });
});

test('a name that the input and the editor share is shown once', async () => {
  const values = async (configName: string) => {
    const change = { title: 'Greet', statement: 'node greet.js' };
    const { parts } = await questionBeforeFinal({ tool: runConfiguration, input: { configName }, change });
    return parts?.facts.map(({ value }) => value);
  };
  expect(await values('Greet')).toEqual(['Greet', 'x']);
  expect(await values('greet')).toEqual(['Greet', 'greet', 'x']);
});

test('a question about a setting shows all of its value, however long', async () => {
  const key = 'files.exclude';
  const long = { [`${'a'.repeat(200)}/evil/${'b'.repeat(200)}`]: true };
  const { parts } = await questionBefore(setSetting, { key, value: long, scope: 'workspace' });
  expect(parts?.statement).toBe(JSON.stringify(long, null, 2));
  const short = await questionBefore(setSetting, { key, value: { a: true }, scope: 'workspace' });
  expect(short.parts?.statement).toBeUndefined();
  expect(short.parts?.facts.map(({ value }) => value)).toContain('{"a":true}');
});
