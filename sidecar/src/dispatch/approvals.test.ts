import { linesOf, plain } from '@devdb/shared/plain-text';
import type { Answer, ClientAnswer, Question } from '@devdb/shared/protocol';
import { runQuery } from '@devdb/shared/tools/database/run-query';
import { Alarms } from './alarms.ts';
import { Approvals } from './approvals.ts';
import type { Caller } from './caller.ts';
import { Deadline } from './deadline.ts';

const unasked = async () => ({ message: 'No user could be asked.', hint: 'Ask a user.' });

function about(subject: string) {
  return {
    subject,
    question: async (): Promise<Question> => ({ title: plain`t`, message: linesOf([plain`m`]) }),
    unasked,
  };
}

function client(clientId: string, answers: readonly ClientAnswer[]): { caller: Caller; asked: Question[] } {
  const asked: Question[] = [];
  const left = [...answers];
  const ask = async (put: Question): Promise<ClientAnswer> => {
    asked.push(put);
    const answer = left.shift();
    if (answer === undefined) throw new Error('asked more often than expected');
    return answer;
  };
  const signal = new AbortController().signal;
  return { caller: { door: 'rest', clientId, clientName: plain`x`, signal, progress: () => undefined, ask }, asked };
}

function longDeadline(): Deadline {
  return new Deadline(runQuery, 60_000, new AbortController().signal, new Alarms());
}

async function withDeadline<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    deadline.end();
  }
}

test('an answer of once asks again the next time', async () => {
  const approvals = new Approvals();
  const { caller, asked } = client('a', ['once', 'once']);
  const deadline = longDeadline();
  await approvals.confirm({ caller, deadline }, undefined, about('s'));
  await withDeadline(deadline, approvals.confirm({ caller, deadline }, undefined, about('s')));
  expect(asked).toHaveLength(2);
});

test('for this session applies only to the same client and subject', async () => {
  const approvals = new Approvals();
  const first = client('a', ['session', 'once']);
  const second = client('b', ['once']);
  const deadline = longDeadline();
  await approvals.confirm({ caller: first.caller, deadline }, undefined, about('UPDATE'));
  await approvals.confirm({ caller: first.caller, deadline }, undefined, about('UPDATE'));
  expect(first.asked).toHaveLength(1);
  await approvals.confirm({ caller: first.caller, deadline }, undefined, about('DELETE'));
  expect(first.asked).toHaveLength(2);
  await withDeadline(deadline, approvals.confirm({ caller: second.caller, deadline }, undefined, about('UPDATE')));
  expect(second.asked).toHaveLength(1);
});

test('no is E_APPROVAL_DENIED', async () => {
  const { caller } = client('a', ['no']);
  const deadline = longDeadline();
  const work = new Approvals().confirm({ caller, deadline }, undefined, about('s'));
  await expect(withDeadline(deadline, work)).rejects.toMatchObject({ code: 'E_APPROVAL_DENIED' });
});

test('a client that closes the question unanswered has it put in the editor, whose answer counts', async () => {
  for (const [said, code] of [
    ['once', undefined],
    ['no', 'E_APPROVAL_DENIED'],
  ] as const) {
    const { caller } = client('a', ['closed']);
    const editor: Question[] = [];
    const dialog = async (question: Question): Promise<Answer> => {
      editor.push(question);
      return said;
    };
    const deadline = longDeadline();
    const work = withDeadline(deadline, new Approvals().confirm({ caller, deadline }, dialog, about('s')));
    await (code === undefined ? work : expect(work).rejects.toMatchObject({ code }));
    expect(editor).toHaveLength(1);
  }
});

test('a client that closes the question where there is no editor is not reported as a person who said no', async () => {
  const { caller } = client('a', ['closed']);
  const deadline = longDeadline();
  const work = new Approvals().confirm({ caller, deadline }, undefined, about('s'));
  await expect(withDeadline(deadline, work)).rejects.toMatchObject({
    code: 'E_APPROVAL_DENIED',
    message: expect.stringContaining('closed the question without an answer'),
    hint: expect.stringContaining('VS Code'),
  });
});

describe('a no of the client', () => {
  /** The client answers so long after the question was put to it. */
  const answered = async (ms: number, said: ClientAnswer, dialog?: () => Promise<Answer>, door?: 'pipe') => {
    let now = 0;
    const { caller } = client('a', []);
    const ask = async (): Promise<ClientAnswer> => {
      now += ms;
      return said;
    };
    const deadline = longDeadline();
    const approvals = new Approvals({ now: () => now });
    const call = { caller: { ...caller, ask, ...(door === undefined ? {} : { door }) }, deadline };
    const late = {
      ...about('s'),
      question: () =>
        about('s')
          .question()
          .finally(() => (now += 5_000)),
    };
    await withDeadline(deadline, approvals.confirm(call, dialog, late));
  };

  test('that comes faster than anyone reads is not said to be its user, and goes to the editor', async () => {
    await expect(answered(20, 'no')).rejects.toMatchObject({
      code: 'E_APPROVAL_DENIED',
      message: expect.stringContaining('closed the question without an answer'),
    });
    await expect(answered(20, 'no', async () => 'once')).resolves.toBeUndefined();
    await expect(answered(20, 'no', async () => 'no')).rejects.toMatchObject({
      message: expect.stringContaining('did not agree'),
    });
  });

  test('that a person had the time to give is theirs', async () => {
    const never = async (): Promise<Answer> => {
      throw new Error('must not be asked again');
    };
    await expect(answered(2_000, 'no', never)).rejects.toMatchObject({
      message: expect.stringContaining('did not agree'),
    });
  });

  test('that comes fast is theirs where the question was put in the editor, and a fast yes is a yes', async () => {
    await expect(answered(20, 'no', undefined, 'pipe')).rejects.toMatchObject({
      message: expect.stringContaining('did not agree'),
    });
    await expect(answered(20, 'once')).resolves.toBeUndefined();
  });
});

test('without a user to ask, the question is not even built', async () => {
  const { ask: _none, ...caller } = client('a', []).caller;
  const deadline = longDeadline();
  const work = new Approvals().confirm({ caller, deadline }, undefined, {
    subject: 's',
    question: async () => {
      throw new Error('must not be made');
    },
    unasked,
  });
  await expect(withDeadline(deadline, work)).rejects.toMatchObject({ code: 'E_CONFIRMATION_REQUIRED' });
});

test('a client that cannot ask falls back to the editor', async () => {
  const { ask: _none, ...caller } = client('a', []).caller;
  const deadline = longDeadline();
  const editor = async (): Promise<Answer> => 'once';
  await expect(
    withDeadline(deadline, new Approvals().confirm({ caller, deadline }, editor, about('s'))),
  ).resolves.toBeUndefined();
});

test('no answer is a no', async () => {
  const never = { ...client('a', []).caller, ask: () => new Promise<Answer>(() => undefined) };
  const deadline = longDeadline();
  const work = new Approvals({ askTimeoutMs: 10 }).confirm({ caller: never, deadline }, undefined, about('s'));
  await expect(withDeadline(deadline, work)).rejects.toMatchObject({ code: 'E_APPROVAL_DENIED' });
});

test('a caller that vanishes while asked is E_CANCELLED', async () => {
  const gone = new AbortController();
  const never = { ...client('a', []).caller, ask: () => new Promise<Answer>(() => undefined) };
  const deadline = new Deadline(runQuery, 60_000, gone.signal, new Alarms());
  const work = new Approvals().confirm({ caller: never, deadline }, undefined, about('s'));
  gone.abort();
  await expect(withDeadline(deadline, work)).rejects.toMatchObject({ code: 'E_CANCELLED' });
});

test('the deadline is paused while a person decides', async () => {
  const slow = {
    ...client('a', []).caller,
    ask: () => new Promise<Answer>((resolve) => setTimeout(resolve, 120, 'once')),
  };
  const deadline = new Deadline(runQuery, 60, new AbortController().signal, new Alarms());
  await withDeadline(deadline, new Approvals().confirm({ caller: slow, deadline }, undefined, about('s')));
  expect(deadline.signal.aborted).toBe(false);
});
