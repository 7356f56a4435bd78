import { plain } from '@devdb/shared/plain-text';
import type { Answer, Question } from '@devdb/shared/protocol';
import { getTables } from '@devdb/shared/tools/database/get-tables';
import { Alarms } from './alarms.ts';
import { Approvals } from './approvals.ts';
import type { Caller } from './caller.ts';
import { Deadline } from './deadline.ts';
import { type Asked, TrustQuestions } from './trust-questions.ts';

const ASKED: Asked = {
  id: plain`env:DATABASE_URL`,
  name: plain`shop`,
  kind: 'postgres',
  shown: plain`db.example.org:5432/shop`,
  source: { file: '.env', line: 3, by: 'env' },
  needsTrust: plain`the host db.example.org is not this machine`,
  trustHash: 'h1',
  passwordCommand: undefined,
};

/** A person at an editor who answers when the test says so. */
function person(askTimeoutMs?: number) {
  const open: { readonly question: Question; readonly signal: AbortSignal; readonly say: (answer: Answer) => void }[] =
    [];
  const questions = new TrustQuestions(new Approvals({ askTimeoutMs }));
  const ask = (question: Question, signal: AbortSignal) =>
    new Promise<Answer>((say, reject) => {
      open.push({ question, signal, say });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  const agreed = async (asked: Asked = ASKED, signal = new AbortController().signal) => {
    const caller: Caller = { door: 'rest', clientId: 'c', clientName: plain`agent`, signal, progress: () => undefined };
    const deadline = new Deadline(getTables, 60_000, signal, new Alarms());
    try {
      return await questions.agreed(asked, { caller, deadline }, ask);
    } finally {
      deadline.end();
    }
  };
  return { open, agreed };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test('the question says which database, where it was found, why it is asked and by whom', async () => {
  const { open, agreed } = person();
  const answer = agreed();
  await turns();
  expect(open[0]?.question).toMatchObject({ kind: 'connect', title: 'DevDB: connect to env:DATABASE_URL' });
  const values = open[0]?.question.parts?.facts.map(({ value }) => value) ?? [];
  expect(values).toEqual(
    expect.arrayContaining(['db.example.org:5432/shop (postgres)', '.env line 3', ASKED.needsTrust, 'agent']),
  );
  open[0]?.say('once');
  await expect(answer).resolves.toBe(true);
});

test('calls that need the same approval share one question, other databases have their own', async () => {
  const { open, agreed } = person();
  const answers = [agreed(), agreed(), agreed({ ...ASKED, trustHash: 'h2' })];
  await turns();
  expect(open).toHaveLength(2);
  open[0]?.say('once');
  open[1]?.say('no');
  await expect(Promise.all(answers)).resolves.toEqual([true, true, false]);
});

test('a no holds until its subject changes', async () => {
  const { open, agreed } = person();
  const first = agreed();
  await turns();
  open[0]?.say('no');
  await expect(first).resolves.toBe(false);
  await expect(agreed()).resolves.toBe(false);
  expect(open).toHaveLength(1);
  const changed = agreed({ ...ASKED, trustHash: 'h3' });
  await turns();
  open[1]?.say('once');
  await expect(changed).resolves.toBe(true);
});

test('when the call that asked ends, its question closes and is asked again for those that wait', async () => {
  const { open, agreed } = person();
  const first = new AbortController();
  const ended = expect(agreed(ASKED, first.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' });
  const second = agreed();
  await turns();
  first.abort();
  await ended;
  await turns();
  expect(open.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  open[1]?.say('once');
  await expect(second).resolves.toBe(true);
});

test('no answer is a no, and the next call asks again', async () => {
  const { open, agreed } = person(10);
  await expect(agreed()).resolves.toBe(false);
  await expect(agreed()).resolves.toBe(false);
  expect(open).toHaveLength(2);
});
