import { linesOf, type PlainText, plain } from '@devdb/shared/plain-text';
import type { Answer, Question } from '@devdb/shared/protocol';
import { getTables } from '@devdb/shared/tools/database/get-tables';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import type { ToolDefinition } from '@devdb/shared/tools/define-tool';
import { Alarms } from './alarms.ts';
import { AlwaysAsked } from './always-asked.ts';
import { Approvals, type Ask } from './approvals.ts';
import type { Caller } from './caller.ts';
import { Deadline } from './deadline.ts';
import { MAX_KNOWN_CLIENTS } from './limits.ts';
import { Policy } from './policy.ts';

const SETTINGS = { trusted: true, approvals: 'ask' } as const;

function callerOf(clientName: PlainText, more: Partial<Caller> = {}): Caller {
  const { signal } = new AbortController();
  return { door: 'rest', clientId: 'a', clientName, signal, progress: () => undefined, ...more };
}

function named(...names: readonly string[]): AlwaysAsked {
  const asked = new AlwaysAsked();
  asked.set(names);
  return asked;
}

/** One project's policy, with a person at the editor who gives this answer. */
function policyFor(alwaysAsked: AlwaysAsked, answer: Answer = 'once') {
  const approvals = new Approvals({ askTimeoutMs: 60_000, alwaysAsked });
  const policy = new Policy(approvals);
  const questions: Question[] = [];
  const dialog: Ask = async (question) => {
    questions.push(question);
    return answer;
  };
  const within = async (tool: ToolDefinition, caller: Caller, work: (deadline: Deadline) => Promise<void>) => {
    const deadline = new Deadline(tool, 60_000, caller.signal, new Alarms());
    try {
      return await work(deadline);
    } finally {
      deadline.end();
    }
  };
  const check = (caller: Caller, tool: ToolDefinition = getTables, input: Record<string, unknown> = {}, ask?: Ask) =>
    within(tool, caller, (deadline) => policy.check(SETTINGS, tool, input, { caller, deadline }, ask));
  const write = (caller: Caller) =>
    within(runQuery, caller, (deadline) =>
      approvals.confirm({ caller, deadline }, dialog, {
        subject: 'UPDATE',
        question: async () => ({ title: plain`write`, message: linesOf([plain`m`]) }),
        unasked: async () => ({ message: 'm', hint: 'h' }),
      }),
    );
  return { questions, dialog, check, write };
}

describe('who is always asked about', () => {
  test('is a client by its name, however it writes it, on every door, and nobody else', () => {
    const asked = named('Claude Code');
    for (const door of ['rest', 'mcp', 'bridge', 'pipe'] as const) {
      expect(asked.covers(callerOf(plain`claude  code`, { door, clientId: door }))).toBe(true);
      expect(asked.covers(callerOf(plain`codex`, { door, clientId: `${door} 2` }))).toBe(false);
    }
  });

  test('is not the person at the editor', () => {
    expect(named('you').covers(callerOf(plain`you`, { door: 'editor' }))).toBe(false);
  });

  test('stays the same client under another name, whether it took that before the choice or after', () => {
    const asked = named();
    expect(asked.covers(callerOf(plain`evil`))).toBe(false);
    asked.set(['evil']);
    expect(asked.covers(callerOf(plain`good`))).toBe(true);
    expect(asked.covers(callerOf(plain`good`, { clientId: 'b' }))).toBe(false);
    asked.set([]);
    expect(asked.covers(callerOf(plain`evil`))).toBe(false);
  });

  test('is found by its name however many names it has had, and however many others call', () => {
    const asked = named('evil');
    for (let at = 0; at < 100; at += 1) asked.covers(callerOf(plain`name ${at}`));
    expect(asked.covers(callerOf(plain`evil`))).toBe(true);
    for (let at = 0; at < 2 * MAX_KNOWN_CLIENTS; at += 1)
      asked.covers(callerOf(plain`other`, { clientId: String(at) }));
    expect(asked.covers(callerOf(plain`evil`))).toBe(true);
  });
});

describe('a call of such a client', () => {
  test('waits for a yes, reads included, and the question names client, tool and statement', async () => {
    const { check, questions, dialog } = policyFor(named('evil'));
    const input = { query: 'SELECT 1', limit: 3, connection: 'shop' };
    await check(callerOf(plain`evil`), runQuery, input, dialog);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      kind: 'call',
      parts: {
        ask: expect.stringContaining('the client that calls itself evil'),
        statement: 'SELECT 1',
        facts: expect.arrayContaining([
          { label: 'Tool', value: 'run-query' },
          { label: 'connection', value: '"shop"' },
        ]),
      },
    });
    expect(questions[0]).not.toHaveProperty('session');
  });

  test.each([
    ['a long value beside a statement', { query: 'SELECT ?', params: ['x'.repeat(500)] }],
    ['statements', { queries: ['SELECT 1', 'DELETE FROM t'] }],
  ])('shows all of %s', async (_what, input) => {
    const { check, questions, dialog } = policyFor(named('evil'));
    await check(callerOf(plain`evil`), runQuery, input, dialog);
    expect(questions[0]?.parts?.statement).toBe(JSON.stringify(input, null, 2));
  });

  test('is asked about each time, also after a yes for the session', async () => {
    const { check, questions, dialog } = policyFor(named('evil'), 'session');
    for (let time = 0; time < 2; time += 1) await check(callerOf(plain`evil`), getTables, {}, dialog);
    expect(questions).toHaveLength(2);
  });

  test('is refused when the answer is no, and nothing was run', async () => {
    const { check, dialog } = policyFor(named('evil'), 'no');
    await expect(check(callerOf(plain`evil`), getTables, {}, dialog)).rejects.toMatchObject({
      code: 'E_APPROVAL_DENIED',
      message: expect.stringContaining('nothing was run'),
    });
  });

  test('is refused where the editor cannot ask, even when the client can', async () => {
    const { check } = policyFor(named('evil'));
    const ask = async (): Promise<Answer> => 'session';
    for (const more of [{}, { ask }, { ask, confirmed: true, door: 'pipe' as const }]) {
      await expect(check(callerOf(plain`evil`, more))).rejects.toMatchObject({
        code: 'E_CONFIRMATION_REQUIRED',
        message: expect.stringContaining('the client that calls itself evil'),
      });
    }
  });

  test('is asked about by the editor when the client answers its own questions, writes too', async () => {
    const asked = named();
    const { write, questions } = policyFor(asked);
    const answers: Question[] = [];
    const ask = async (question: Question): Promise<Answer> => {
      answers.push(question);
      return 'session';
    };
    await write(callerOf(plain`evil`, { ask }));
    expect([answers.length, questions.length]).toEqual([1, 0]);
    asked.set(['evil']);
    await write(callerOf(plain`evil`, { ask }));
    expect([answers.length, questions.length]).toEqual([1, 1]);
  });

  test('of a client without a name is refused in words that say so', async () => {
    const { check } = policyFor(named('(no name)'));
    await expect(check(callerOf(plain`(no name)`))).rejects.toMatchObject({
      message: expect.stringContaining('a client that gives no name'),
    });
    await expect(check(callerOf(plain`http`, { clientId: 'b' }))).resolves.toBeUndefined();
  });
});
