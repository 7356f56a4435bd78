import { join } from 'node:path';
import { SETTINGS, silentEditor } from '../../test/helpers/silent-editor.ts';
import { MAX_SIDECAR_ENDS, MAX_SIDECAR_RESTARTS } from './limits.ts';
import { type SidecarState, Supervisor } from './supervisor.ts';

const CHILDREN = join(__dirname, '..', '..', '..', 'fixtures', 'children');
const never = new AbortController().signal;

interface SuperviseOptions {
  readonly nodePath?: string;
  readonly roots?: string[];
  readonly handshakeMs?: number;
}

function supervise(
  child: string,
  { nodePath = process.execPath, roots = ['/a', '/b'], handshakeMs }: SuperviseOptions = {},
) {
  const states: SidecarState[] = [];
  const waiting: { readonly kind: SidecarState['kind']; readonly resolve: (state: SidecarState) => void }[] = [];
  const pauses: number[] = [];
  const logged: string[] = [];
  const chosen = { nodePath };
  const supervisor = new Supervisor(
    silentEditor({
      command: () => ({ ...chosen, script: join(CHILDREN, child), env: process.env }),
      projects: () => roots.map((root) => ({ root, settings: SETTINGS })),
      side: {
        ask: async () => 'session',
        notify: ({ message }) => logged.push(message),
        onFault: (error) => logged.push(String(error)),
      },
      onState: (state) => {
        states.push(state);
        for (const waiter of waiting.splice(0)) {
          if (waiter.kind === state.kind) waiter.resolve(state);
          else waiting.push(waiter);
        }
      },
      onLogLine: (line) => logged.push(line),
      log: (line) => logged.push(line),
      pause: async (ms) => {
        pauses.push(ms);
      },
      ...(handshakeMs === undefined ? {} : { handshakeMs }),
    }),
  );
  const next = (kind: SidecarState['kind']) => new Promise<SidecarState>((resolve) => waiting.push({ kind, resolve }));
  return { supervisor, states, next, pauses, logged, roots, chosen };
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function pidOf(supervisor: Supervisor): Promise<number> {
  const answer = await supervisor.client?.runTool({ tool: 'echo', input: {}, signal: never });
  return Number(JSON.parse(answer?.text ?? '').pid);
}

describe('the sidecar under supervision', () => {
  let open: Supervisor[] = [];
  function start(...args: Parameters<typeof supervise>) {
    const started = supervise(...args);
    open.push(started.supervisor);
    return started;
  }
  afterEach(async () => {
    await Promise.all(open.map((supervisor) => supervisor.end()));
    open = [];
  });

  test('is greeted and runs tools with progress and questions', async () => {
    const { supervisor, next } = start('pipe-sidecar.ts');
    const running = next('running');
    await supervisor.restart();
    await expect(running).resolves.toEqual({
      kind: 'running',
      projects: [
        { given: '/a', root: '/a', port: 50_001 },
        { given: '/b', root: '/b', port: 50_002 },
      ],
    });
    const heard: unknown[] = [];
    const call = { tool: 'echo', input: { n: 1 }, signal: never, progress: (step: unknown) => heard.push(step) };
    await expect(supervisor.client?.runTool(call)).resolves.toMatchObject({
      ok: true,
      text: expect.stringMatching(/^\{"root":"\/a","input":\{"n":1\}/),
    });
    expect(heard).toEqual([{ progress: 1, message: 'on the way' }]);
    await expect(supervisor.client?.runTool({ tool: 'ask', input: {}, signal: never })).resolves.toEqual({
      ok: true,
      text: '{"answer":"session"}',
    });
  });

  test('is awaited by a call that comes while it starts', async () => {
    const { supervisor, next } = start('pipe-sidecar.ts');
    const starting = next('starting');
    await supervisor.restart();
    await starting;
    const client = await supervisor.ready(never);
    await expect(client.runTool({ tool: 'echo', input: 1, signal: never })).resolves.toMatchObject({ ok: true });
  });

  test('is not awaited when it is off, has failed, or the call is cancelled', async () => {
    const off = start('pipe-sidecar.ts', { roots: [] });
    await off.supervisor.restart();
    await expect(off.supervisor.ready(never)).rejects.toMatchObject({ code: 'E_DISABLED' });
    const silent = start('never-answers.mjs');
    await silent.supervisor.restart();
    const controller = new AbortController();
    const waiting = expect(silent.supervisor.ready(controller.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' });
    controller.abort();
    await waiting;
    const crashing = start('crash-on-start.mjs');
    await crashing.supervisor.restart();
    await expect(crashing.supervisor.ready(never)).rejects.toMatchObject({ code: 'E_UNREACHABLE' });
  });

  test('ends with the extension, and leaves no process', async () => {
    const { supervisor, next, states } = start('pipe-sidecar.ts');
    const running = next('running');
    await supervisor.restart();
    await running;
    const pid = await pidOf(supervisor);
    await supervisor.stop();
    expect(alive(pid)).toBe(false);
    expect(supervisor.client).toBeUndefined();
    expect(states.at(-1)).toEqual({ kind: 'stopped' });
  });

  test('that dies during a call answers it with a code and is back for the next one', async () => {
    const { supervisor, next } = start('pipe-sidecar.ts');
    const first = next('running');
    await supervisor.restart();
    await first;
    await expect(supervisor.client?.runTool({ tool: 'exit', input: {}, signal: never })).rejects.toMatchObject({
      code: 'E_UNREACHABLE',
    });
    const client = await supervisor.ready(never);
    await expect(client.runTool({ tool: 'echo', input: 1, signal: never })).resolves.toMatchObject({ ok: true });
  });

  test('that is killed repeatedly comes back each time, without longer pauses', async () => {
    const { supervisor, pauses } = start('pipe-sidecar.ts');
    await supervisor.restart();
    for (let round = 0; round < 2 * MAX_SIDECAR_RESTARTS; round += 1) {
      const client = await supervisor.ready(never);
      await expect(client.runTool({ tool: 'exit', input: {}, signal: never })).rejects.toMatchObject({
        code: 'E_UNREACHABLE',
      });
    }
    const client = await supervisor.ready(never);
    await expect(client.runTool({ tool: 'echo', input: 1, signal: never })).resolves.toMatchObject({ ok: true });
    expect(new Set(pauses)).toEqual(new Set([250]));
  });

  test('that starts and dies endlessly is not started again either', async () => {
    const { supervisor, next, pauses } = start('pipe-sidecar.ts', { roots: ['/dies'] });
    const failed = next('failed');
    await supervisor.restart();
    await expect(failed).resolves.toMatchObject({ reason: expect.stringContaining('code 9') });
    expect(pauses).toHaveLength(MAX_SIDECAR_ENDS);
    // That many processes have to start.
  }, 180_000);

  test('that does not start is tried until the restart budget is spent, with growing pauses and its last output', async () => {
    const { supervisor, next, pauses, states } = start('crash-on-start.mjs');
    const failed = next('failed');
    await supervisor.restart();
    await expect(failed).resolves.toMatchObject({ reason: expect.stringContaining('the driver could not be loaded') });
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000]);
    expect(states.filter(({ kind }) => kind === 'starting')).toHaveLength(MAX_SIDECAR_RESTARTS + 1);
  });

  test('that cannot be started at all is not tried again, and the reason is reported', async () => {
    const nodePath = join(CHILDREN, 'no-such-node');
    const { supervisor, next, pauses } = start('pipe-sidecar.ts', { nodePath });
    const failed = next('failed');
    await supervisor.restart();
    await expect(failed).resolves.toMatchObject({
      reason: expect.stringContaining(`${nodePath} could not be started`),
    });
    expect(pauses).toEqual([]);
  });

  test('that was given up gets another chance when another Node is chosen', async () => {
    const { supervisor, next, chosen } = start('pipe-sidecar.ts', { nodePath: join(CHILDREN, 'no-such-node') });
    const failed = next('failed');
    await supervisor.restart();
    await failed;
    const running = next('running');
    chosen.nodePath = process.execPath;
    await supervisor.update();
    await running;
  });

  test.each(['writes-garbage.mjs', 'floods-pipe.mjs'])(
    'whose pipe carries no messages is not tried again: %s',
    async (child) => {
      const { supervisor, next, states } = start(child);
      const restarted = next('starting').then(() => next('starting'));
      await supervisor.restart();
      await restarted;
      await expect(supervisor.ready(AbortSignal.abort())).rejects.toMatchObject({ code: 'E_CANCELLED' });
      await supervisor.stop();
      expect(states.at(-1)).toEqual({ kind: 'stopped' });
    },
  );

  test('that hangs at start is tried until the budget is spent, and reported as not answering', async () => {
    const { supervisor, next, pauses } = start('never-answers.mjs', { handshakeMs: 200 });
    const failed = next('failed');
    await supervisor.restart();
    await expect(failed).resolves.toMatchObject({ reason: expect.stringContaining('sidecar/hello was not answered') });
    expect(pauses).toHaveLength(MAX_SIDECAR_RESTARTS);
  });

  test('that never answers can be stopped during the greeting', async () => {
    const { supervisor, next } = start('never-answers.mjs');
    const starting = next('starting');
    await supervisor.restart();
    await starting;
    await supervisor.stop();
    expect(supervisor.client).toBeUndefined();
  });

  test('that ignores its end is killed after the grace time', async () => {
    const { supervisor, next, states } = start('ignores-shutdown.mjs');
    const starting = next('starting');
    await supervisor.restart();
    await starting;
    await supervisor.stop();
    expect(states.at(-1)).toEqual({ kind: 'stopped' });
  }, 20_000);

  test('is sent folder changes while it runs, in the same process', async () => {
    const { supervisor, next, roots } = start('pipe-sidecar.ts');
    const running = next('running');
    await supervisor.restart();
    await running;
    const pid = await pidOf(supervisor);
    const call = supervisor.client?.runTool({
      tool: 'never',
      input: {},
      signal: AbortSignal.timeout(60_000),
      root: '/b',
    });
    const refused = expect(call).rejects.toMatchObject({ code: 'E_UNREACHABLE' });
    roots.splice(0, 1);
    const told = next('running');
    await supervisor.update();
    await expect(told).resolves.toEqual({ kind: 'running', projects: [{ given: '/b', root: '/b', port: 50_001 }] });
    expect(await pidOf(supervisor)).toBe(pid);
    await supervisor.stop();
    await refused;
  });

  test('is sent what changed during the greeting', async () => {
    const { supervisor, next, roots } = start('pipe-sidecar.ts');
    const running = next('running');
    await supervisor.restart();
    roots.push('/c');
    await supervisor.update();
    await running;
    const last = async () => (await supervisor.client?.status(never))?.projects.map(({ root }) => root);
    await supervisor.update();
    await expect(last()).resolves.toEqual(['/a', '/b', '/c']);
  });

  test('ends with the last project, and starts with the next one', async () => {
    const { supervisor, next, roots, states } = start('pipe-sidecar.ts');
    const running = next('running');
    await supervisor.restart();
    await running;
    const pid = await pidOf(supervisor);
    roots.splice(0);
    await supervisor.update();
    expect(states.at(-1)).toEqual({ kind: 'off' });
    expect(alive(pid)).toBe(false);
    roots.push('/a');
    const again = next('running');
    await supervisor.update();
    await again;
  });

  test('that the user stopped stays stopped whatever changes, and calls get an error that says so', async () => {
    const { supervisor, next, states } = start('pipe-sidecar.ts');
    const running = next('running');
    await supervisor.restart();
    await running;
    await supervisor.stop();
    await supervisor.update();
    expect(states.at(-1)).toEqual({ kind: 'stopped' });
    await expect(supervisor.ready(never)).rejects.toMatchObject({ code: 'E_DISABLED' });
    const again = next('running');
    await supervisor.restart();
    await again;
  });

  test('is not started without a project', async () => {
    const { supervisor, states } = start('pipe-sidecar.ts', { roots: [] });
    await supervisor.restart();
    expect(states).toEqual([{ kind: 'off' }]);
  });

  test('runs once however many restarts are requested at the same time', async () => {
    const { supervisor, next, logged } = start('pipe-sidecar.ts');
    await Promise.all([supervisor.restart(), supervisor.restart(), supervisor.restart()]);
    if (supervisor.client === undefined) await next('running');
    const pid = await pidOf(supervisor);
    const started = () => logged.flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
    expect(started().filter(alive)).toEqual([pid]);
    await supervisor.stop();
    expect(started().filter(alive)).toEqual([]);
  });
});
