import { PassThrough } from 'node:stream';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import * as z from 'zod';
import { whenAborted } from '../abort.ts';
import { AppError } from '../errors.ts';
import { method, notice } from './method.ts';
import { Peer } from './peer.ts';

const double = method(
  'test/double',
  () => z.strictObject({ n: z.number() }),
  () => z.object({ twice: z.number() }),
);
const news = notice('test/news', () => z.strictObject({ text: z.string() }));
const LONG_MS = 10_000;

interface End {
  readonly peer: Peer;
  readonly faults: unknown[];
  readonly input: PassThrough;
  readonly output: PassThrough;
}

function openEnd(input: PassThrough, output: PassThrough): End {
  const faults: unknown[] = [];
  const peer = new Peer({
    reader: new StreamMessageReader(input),
    writer: new StreamMessageWriter(output),
    gone: () => new AppError('E_UNREACHABLE', 'The other end is gone.'),
    onFault: (error) => faults.push(error),
  });
  return { peer, faults, input, output };
}

function openPipe(): { readonly near: End; readonly far: End } {
  const there = new PassThrough();
  const back = new PassThrough();
  return { near: openEnd(back, there), far: openEnd(there, back) };
}

/** Resolves with the signal of the far end's handler once the call has arrived there. */
function answerNever(far: End): Promise<AbortSignal> {
  return new Promise((arrived) => {
    far.peer.answer(double, (_params, signal) => {
      arrived(signal);
      return whenAborted(signal).then(() => Promise.reject(new AppError('E_CANCELLED', 'aborted')));
    });
  });
}

function listen(...ends: readonly End[]): void {
  for (const { peer } of ends) peer.listen();
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    return `answered ${JSON.stringify(await promise)}`;
  } catch (error) {
    return error instanceof AppError ? error.code : `not an AppError: ${String(error)}`;
  }
}

describe('a call over the pipe', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  let open: End[] = [];

  function pipe() {
    const { near, far } = openPipe();
    open.push(near, far);
    return { near, far };
  }

  beforeAll(() => process.on('unhandledRejection', onUnhandled));
  afterEach(async () => {
    for (const { peer } of open) peer.close();
    open = [];
    // Unhandled rejections are reported after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  });
  afterAll(() => process.off('unhandledRejection', onUnhandled));

  test('ends with the value', async () => {
    const { near, far } = pipe();
    far.peer.answer(double, async ({ n }) => ({ twice: n * 2 }));
    listen(near, far);
    await expect(near.peer.call(double, { n: 21 }, { timeoutMs: LONG_MS })).resolves.toEqual({ twice: 42 });
  });

  test('ends with the code, message, hint and details of an AppError', async () => {
    const { near, far } = pipe();
    far.peer.answer(double, async () => {
      throw new AppError('E_UNKNOWN_TABLE', 'No table.', { hint: 'Call get-tables.', details: { near: ['users'] } });
    });
    listen(near, far);
    await expect(near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS })).rejects.toMatchObject({
      code: 'E_UNKNOWN_TABLE',
      message: 'No table.',
      hint: 'Call get-tables.',
      details: { near: ['users'] },
    });
  });

  test('hides the message of any other error and reports the error at the end that failed', async () => {
    const { near, far } = pipe();
    const secret = new Error('password=hunter2 at 10.0.0.7');
    far.peer.answer(double, async () => {
      throw secret;
    });
    listen(near, far);
    const failure: unknown = await near.peer
      .call(double, { n: 1 }, { timeoutMs: LONG_MS })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'E_INTERNAL' });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('hunter2');
    expect(far.faults).toEqual([secret]);
  });

  test('ends with E_TIMEOUT when the deadline passes, and aborts the other end', async () => {
    const { near, far } = pipe();
    const arrived = answerNever(far);
    listen(near, far);
    const code = codeOf(near.peer.call(double, { n: 1 }, { timeoutMs: 30 }));
    const signal = await arrived;
    await expect(code).resolves.toBe('E_TIMEOUT');
    await whenAborted(signal);
  });

  test('gets as much longer as a crowded machine takes, and no longer', async () => {
    const { near, far } = pipe();
    answerNever(far);
    listen(near, far);
    const began = performance.now();
    const code = codeOf(near.peer.call(double, { n: 1 }, { timeoutMs: 20, stretch: () => 10 }));
    await expect(code).resolves.toBe('E_TIMEOUT');
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  test('ends with E_CANCELLED at once when it is cancelled, and aborts the other end', async () => {
    const { near, far } = pipe();
    const arrived = answerNever(far);
    listen(near, far);
    const controller = new AbortController();
    const code = codeOf(near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS, signal: controller.signal }));
    const signal = await arrived;
    controller.abort();
    await expect(code).resolves.toBe('E_CANCELLED');
    await whenAborted(signal);
  });

  test('is not sent when it is cancelled in advance', async () => {
    const { near, far } = pipe();
    let calls = 0;
    far.peer.answer(double, async ({ n }) => ({ twice: ++calls + n }));
    listen(near, far);
    await expect(
      codeOf(near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS, signal: AbortSignal.abort() })),
    ).resolves.toBe('E_CANCELLED');
    await near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS });
    expect(calls).toBe(1);
  });

  test.each([
    ['the stream is cut', ({ near }: ReturnType<typeof openPipe>) => near.input.destroy()],
    ['the writing side breaks', ({ near }: ReturnType<typeof openPipe>) => near.output.destroy(new Error('EPIPE'))],
    [
      'the other end sends what is no message',
      ({ near }: ReturnType<typeof openPipe>) => near.input.write('no header\r\n\r\n{}'),
    ],
    ['this end closes', ({ near }: ReturnType<typeof openPipe>) => near.peer.close()],
  ])('ends as gone when %s', async (_how, cut) => {
    const ends = pipe();
    const arrived = answerNever(ends.far);
    listen(ends.near, ends.far);
    const code = codeOf(ends.near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS }));
    await arrived;
    cut(ends);
    await expect(code).resolves.toBe('E_UNREACHABLE');
    expect(ends.near.peer.closed).toBe(true);
    await expect(codeOf(ends.near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS }))).resolves.toBe('E_UNREACHABLE');
  });

  test('that ends because of an invalid message is reported', async () => {
    const { near, far } = pipe();
    listen(near, far);
    near.input.write('no header\r\n\r\n{}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(near.peer.closed).toBe(true);
    expect(near.faults.map(String)).toEqual([expect.stringContaining('Error')]);
  });

  test('aborts what runs at an end whose pipe closes', async () => {
    const { near, far } = pipe();
    const arrived = answerNever(far);
    listen(near, far);
    const code = codeOf(near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS }));
    const signal = await arrived;
    far.input.destroy();
    await whenAborted(signal);
    near.peer.close();
    await expect(code).resolves.toBe('E_UNREACHABLE');
  });

  test('ends with E_NOT_FOUND when the other end does not know the message', async () => {
    const { near, far } = pipe();
    listen(near, far);
    await expect(codeOf(near.peer.call(double, { n: 1 }, { timeoutMs: LONG_MS }))).resolves.toBe('E_NOT_FOUND');
  });

  test('is refused when a message does not parse, at either end', async () => {
    const { near, far } = pipe();
    const loose = method(
      'test/double',
      () => z.object({ n: z.string() }),
      () => z.object({ twice: z.string() }),
    );
    far.peer.answer(double, async ({ n }) => ({ twice: n * 2 }));
    listen(near, far);
    await expect(codeOf(near.peer.call(loose, { n: 'one' }, { timeoutMs: LONG_MS }))).resolves.toBe('E_INTERNAL');
    const wrongAnswer = method(
      'test/double',
      () => z.object({ n: z.number() }),
      () => z.object({ twice: z.string() }),
    );
    await expect(codeOf(near.peer.call(wrongAnswer, { n: 1 }, { timeoutMs: LONG_MS }))).resolves.toBe('E_INTERNAL');
  });

  test('runs in parallel with others, both ways, each with its own answer', async () => {
    const { near, far } = pipe();
    for (const end of [near, far]) end.peer.answer(double, async ({ n }) => ({ twice: n * 2 }));
    listen(near, far);
    const calls = Array.from({ length: 100 }, (_, n) =>
      (n % 2 ? near : far).peer.call(double, { n }, { timeoutMs: LONG_MS }),
    );
    await expect(Promise.all(calls)).resolves.toEqual(Array.from({ length: 100 }, (_, n) => ({ twice: n * 2 })));
  });
});

describe('notices over the pipe', () => {
  test('arrive in order, and invalid ones are reported instead of thrown', async () => {
    const { near, far } = openPipe();
    const heard: string[] = [];
    const all = new Promise<void>((resolve) => {
      far.peer.hear(news, ({ text }) => {
        heard.push(text);
        if (text === 'last') resolve();
      });
    });
    listen(near, far);
    near.peer.tell(news, { text: 'first' });
    near.peer.tell(
      notice('test/news', () => z.object({ wrong: z.number() })),
      { wrong: 1 },
    );
    near.peer.tell(news, { text: 'last' });
    await all;
    expect(heard).toEqual(['first', 'last']);
    expect(far.faults).toMatchObject([{ code: 'E_INTERNAL' }]);
    near.peer.close();
    far.peer.close();
    near.peer.tell(news, { text: 'into the void' });
  });
});
