import { AppError, ERROR_CODES, type ErrorCode, isErrorCode } from '@devdb/shared/errors';
import { plain } from '@devdb/shared/plain-text';
import { allTools, type ToolDefinition } from '@devdb/shared/tools';
import { AnswerRoom } from './answer-room.ts';
import type { Caller } from './caller.ts';
import { Dispatch, type DispatchParts, type Run } from './dispatch.ts';
import { LARGE_ANSWER_BYTES } from './limits.ts';

interface Line {
  readonly level: string;
  readonly event: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

function gateOver(run: Run, parts: Partial<DispatchParts> = {}): { gate: Dispatch; lines: Line[] } {
  const lines: Line[] = [];
  const gate = new Dispatch({
    projectRoot: '/project',
    isOn: () => true,
    policy: async () => undefined,
    runnerOf: () => run,
    answers: new AnswerRoom(),
    log: (level, event, facts) => lines.push({ level, event, facts }),
    ...parts,
  });
  return { gate, lines };
}

function caller(signal: AbortSignal = new AbortController().signal, extra: Partial<Caller> = {}): Caller {
  return { door: 'rest', clientId: 'c1', clientName: plain`test`, signal, progress: () => undefined, ...extra };
}

const untilAborted: Run = (_input, { deadline }) =>
  new Promise((_resolve, reject) => {
    deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason), { once: true });
  });

test("returns the tool's data with request id, time stamp and duration, in few characters", async () => {
  const { gate } = gateOver(async () => ({ tables: ['users'] }));
  const envelope = await gate.run('get-tables', {}, caller());
  expect(envelope).toMatchObject({ ok: true, type: 'success', data: { tables: ['users'] } });
  expect(envelope.meta.requestId).toMatch(/^[\w-]{8}$/);
  expect(new Date(envelope.meta.timestamp).toISOString()).toBe(envelope.meta.timestamp);
  expect(String(envelope.meta.duration)).toMatch(/^\d+(?:\.\d)?$/);
  const { meta } = await gate.run('get-tables', {}, caller());
  expect(meta.requestId).not.toBe(envelope.meta.requestId);
});

test('answers E_UNKNOWN_TOOL for an unknown name', async () => {
  const { gate } = gateOver(async () => ({}));
  expect(await gate.run('no-such-tool', {}, caller())).toMatchObject({ ok: false, error: { code: 'E_UNKNOWN_TOOL' } });
});

test('answers E_DISABLED for a tool that is off, and does not list it', async () => {
  const { gate } = gateOver(async () => ({}), { isOn: (tool) => tool.name !== 'run-query' });
  expect(gate.tools.map((tool) => tool.name)).not.toContain('run-query');
  expect(await gate.run('run-query', { query: 'SELECT 1' }, caller())).toMatchObject({
    ok: false,
    error: { code: 'E_DISABLED' },
  });
});

test('names the field of a bad input and does not run the tool', async () => {
  const ran: unknown[] = [];
  const { gate } = gateOver(async (input) => {
    ran.push(input);
    return {};
  });
  const envelope = await gate.run('run-query', { query: 'SELECT 1', limit: 0, typo: true }, caller());
  if (envelope.ok) throw new Error('expected an error');
  expect(envelope.error.code).toBe('E_INVALID_PARAMS');
  expect(envelope.error.message).toContain('limit');
  expect(envelope.error.message).toContain('typo');
  expect(ran).toEqual([]);
});

test('checks the policy after the input is parsed and before the tool runs', async () => {
  const order: string[] = [];
  const { gate } = gateOver(
    async () => {
      order.push('run');
      return { tables: [] };
    },
    {
      policy: async (tool: ToolDefinition) => {
        order.push(`policy ${tool.name}`);
        throw new AppError('E_UNTRUSTED_WORKSPACE', 'not here');
      },
    },
  );
  expect(await gate.run('get-tables', {}, caller())).toMatchObject({ error: { code: 'E_UNTRUSTED_WORKSPACE' } });
  expect(order).toEqual(['policy get-tables']);
});

test('ends a call at its own timeoutMs with E_TIMEOUT, stating the number', async () => {
  const { gate } = gateOver(untilAborted);
  const envelope = await gate.run('run-query', { query: 'SELECT 1', timeoutMs: 20 }, caller());
  expect(envelope).toMatchObject({ error: { code: 'E_TIMEOUT', details: { timeoutMs: 20 }, retryable: true } });
});

test("uses the caller's default deadline for a call that states none", async () => {
  const { gate } = gateOver(untilAborted);
  const envelope = await gate.run('get-tables', {}, caller(undefined, { defaultTimeoutMs: 15 }));
  expect(envelope).toMatchObject({ error: { code: 'E_TIMEOUT', details: { timeoutMs: 15 } } });
});

test('answers E_CANCELLED when the caller goes away, and does not start a call that is already cancelled', async () => {
  const controller = new AbortController();
  const { gate } = gateOver(untilAborted);
  const running = gate.run('get-tables', {}, caller(controller.signal));
  controller.abort();
  expect(await running).toMatchObject({ error: { code: 'E_CANCELLED' } });
  const { gate: second } = gateOver(async () => {
    throw new Error('must not run');
  });
  expect(await second.run('get-tables', {}, caller(controller.signal))).toMatchObject({
    error: { code: 'E_CANCELLED' },
  });
});

test('runs no call without room for its answer, and says at its deadline what it waited for', async () => {
  const answers = new AnswerRoom(LARGE_ANSWER_BYTES);
  const gone = answers.watch(() => LARGE_ANSWER_BYTES);
  let ran = 0;
  const run: Run = async () => {
    ran += 1;
    return { tables: [] };
  };
  const { gate } = gateOver(run, { answers });
  expect(await gate.run('get-tables', {}, caller(undefined, { defaultTimeoutMs: 15 }))).toMatchObject({
    error: { code: 'E_TIMEOUT', message: expect.stringContaining('are waiting for clients that do not read them') },
  });
  expect(ran).toBe(0);
  const waiting = gate.run('get-tables', {}, caller());
  gone();
  expect(await waiting).toMatchObject({ ok: true });
});

test('a call leaves its room however it ends: with an answer, an error, a wrong shape, its deadline or no start', async () => {
  const answers = new AnswerRoom(LARGE_ANSWER_BYTES);
  const ends: Run[] = [
    async () => ({ tables: [] }),
    () => Promise.reject(new AppError('E_NO_CONNECTION', 'none')),
    async () => ({ wrong: true }),
    untilAborted,
  ];
  for (const run of ends) {
    const { gate } = gateOver(run, { answers });
    await gate.run('get-tables', {}, caller(undefined, { defaultTimeoutMs: 15 }));
  }
  const refusing = gateOver(untilAborted, { answers, policy: () => Promise.reject(new AppError('E_FORBIDDEN', 'no')) });
  await refusing.gate.run('get-tables', {}, caller());
  expect([answers.tryEnter(), answers.tryEnter()]).toEqual([true, false]);
});

test("passes on the door's reason for a call it ended", async () => {
  const controller = new AbortController();
  const { gate } = gateOver(untilAborted);
  const running = gate.run('get-tables', {}, caller(controller.signal));
  controller.abort(new AppError('E_CANCELLED', 'DevDB is shutting down.', { hint: 'Call again later.' }));
  expect(await running).toMatchObject({
    error: { code: 'E_CANCELLED', message: 'DevDB is shutting down.', hint: 'Call again later.' },
  });
});

test('masks a foreign error as E_INTERNAL and logs it whole', async () => {
  const { gate, lines } = gateOver(async () => {
    throw new Error('connect ECONNREFUSED db.internal:5432 password=hunter2');
  });
  const envelope = await gate.run('get-tables', {}, caller());
  expect(JSON.stringify(envelope)).not.toContain('hunter2');
  expect(envelope).toMatchObject({ error: { code: 'E_INTERNAL' } });
  expect(lines.find((line) => line.event === 'call-failed')?.level).toBe('error');
});

test.each(allTools.map((tool) => [tool.name, tool] as const))(
  '%s cannot answer a code that its definition does not declare',
  async (name, tool) => {
    const undeclared = Object.keys(ERROR_CODES)
      .filter(isErrorCode)
      .filter((code) => !mayAnswerCode(tool, code));
    expect(undeclared.length).toBeGreaterThan(0);
    for (const code of undeclared) {
      const { gate } = gateOver(async () => {
        throw new AppError(code, 'undeclared');
      });
      expect(await gate.run(name, workingInput(tool), caller())).toMatchObject({ error: { code: 'E_INTERNAL' } });
    }
  },
);

test('an answer that does not fit the definition is E_INTERNAL', async () => {
  const { gate } = gateOver(async () => ({ tables: 'users' }));
  expect(await gate.run('get-tables', {}, caller())).toMatchObject({ error: { code: 'E_INTERNAL' } });
});

test('writes one line per call, with the tool, the client, the code and the rows, and without SQL or values', async () => {
  const { gate, lines } = gateOver(async () => ({
    columns: [{ name: 'secret_column', type: 'TEXT' }],
    rows: [['secret value']],
    rowCount: 1,
    truncated: false,
  }));
  await gate.run('run-query', { query: "SELECT 'secret text'" }, caller());
  expect(lines).toHaveLength(1);
  expect(lines[0]?.facts).toMatchObject({ tool: 'run-query', client: 'test', code: 'ok', rows: 1 });
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a made-up tool name makes no long log line', async () => {
  const { gate, lines } = gateOver(async () => ({}));
  const envelope = await gate.run('x'.repeat(1_000_000), {}, caller());
  expect(envelope).toMatchObject({ error: { code: 'E_UNKNOWN_TOOL' } });
  expect(JSON.stringify(lines).length).toBeLessThan(1_000);
});

test('a tool that ignores its signal does not hold the caller for ever', async () => {
  const { gate } = gateOver(() => new Promise(() => undefined));
  const envelope = await gate.run('run-query', { query: 'SELECT 1', timeoutMs: 10 }, caller());
  expect(envelope).toMatchObject({ error: { code: 'E_TIMEOUT' } });
});

function workingInput({ name, examples }: ToolDefinition) {
  const example = examples.find(({ gives }) => gives === 'ok');
  if (example === undefined) throw new Error(`${name} has no example that works.`);
  return example.input;
}

function mayAnswerCode(tool: ToolDefinition, code: ErrorCode): boolean {
  const common = ['E_INVALID_PARAMS', 'E_TIMEOUT', 'E_CANCELLED', 'E_DISABLED', 'E_EDITOR_NOT_ATTACHED'];
  const more = ['E_UNTRUSTED_WORKSPACE', 'E_CONFIRMATION_REQUIRED', 'E_APPROVAL_DENIED', 'E_INTERNAL'];
  return [...common, ...more, ...tool.errors].some((declared) => declared === code);
}
