import { PassThrough } from 'node:stream';
import { shutdown, watchParent } from './watch-parent.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('the parent', () => {
  function watched(parentPid?: () => number) {
    const input = new PassThrough();
    const reasons: string[] = [];
    const stop = watchParent({
      input: input.resume(),
      onGone: (reason) => reasons.push(reason),
      ...(parentPid && { parentPid }),
      intervalMs: 5,
    });
    return { input, reasons, stop };
  }

  test('is there while the pipe is open', async () => {
    const { input, reasons, stop } = watched(() => 1);
    input.write('x');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reasons).toEqual([]);
    stop();
  });

  test.each<[string, (input: PassThrough) => void]>([
    ['ends', (input) => input.end()],
    ['is destroyed', (input) => input.destroy()],
    ['fails', (input) => input.destroy(new Error('EPIPE'))],
  ])('is gone, once, when the pipe %s', async (_how, close) => {
    const { input, reasons } = watched();
    close(input);
    await tick();
    await tick();
    expect(reasons).toEqual(['the pipe from the parent was closed']);
  });

  test('is gone when the pipe had ended before', async () => {
    const input = new PassThrough();
    input.destroy();
    const reason = await new Promise((onGone) => watchParent({ input, onGone }));
    expect(reason).toBe('the pipe from the parent was closed');
  });

  test('is gone when this process has another parent', async () => {
    let parent = 1;
    const reason = new Promise((onGone) =>
      watchParent({ input: new PassThrough(), onGone, parentPid: () => parent, intervalMs: 5 }),
    );
    parent = 2;
    expect(await reason).toBe('the parent process is gone');
  });

  test('is not told of after watching has stopped', async () => {
    const { input, reasons, stop } = watched();
    stop();
    input.destroy(new Error('late'));
    await tick();
    expect(reasons).toEqual([]);
  });
});

describe('shutdown', () => {
  test('ends in order, once, and exits with 0', async () => {
    const ended: string[] = [];
    const code = await new Promise((exit) => {
      const begin = shutdown({ end: async (reason) => ended.push(reason), exit });
      begin('first');
      begin('second');
    });
    expect([ended, code]).toEqual([['first'], 0]);
  });

  test('exits with 1 when ending fails', async () => {
    const code = await new Promise((exit) => shutdown({ end: () => Promise.reject(new Error('no')), exit })('x'));
    expect(code).toBe(1);
  });

  test('exits with 1 when something hangs', async () => {
    const end = () => new Promise(() => undefined);
    const code = await new Promise((exit) => shutdown({ end, exit, graceMs: 10 })('x'));
    expect(code).toBe(1);
  });
});
