import { join } from 'node:path';
import * as fc from 'fast-check';
import { SETTINGS, silentEditor } from '../../test/helpers/silent-editor.ts';
import { type SidecarState, Supervisor } from './supervisor.ts';

const CHILD = join(__dirname, '..', '..', '..', 'fixtures', 'children', 'pipe-sidecar.ts');
const STEPS = ['restart', 'update', 'stop', 'kill', 'add folder', 'remove folder', 'call'] as const;
const never = new AbortController().signal;

function supervise() {
  const roots = ['/a'];
  const pids: number[] = [];
  const states: SidecarState[] = [];
  const supervisor = new Supervisor(
    silentEditor({
      command: () => ({ nodePath: process.execPath, script: CHILD, env: process.env }),
      projects: () => roots.map((root) => ({ root, settings: SETTINGS })),
      onState: (state) => states.push(state),
      onLogLine: (line) => {
        if (line.startsWith('pid ')) pids.push(Number(line.slice(4)));
      },
      now: () => states.length * 1_000_000,
    }),
  );
  return { supervisor, roots, pids, states };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

type Supervised = ReturnType<typeof supervise>;

/** One event. Nothing is awaited: the next comes when it comes. */
function happen(step: (typeof STEPS)[number], { supervisor, roots, pids }: Supervised): Promise<unknown> {
  switch (step) {
    case 'restart':
    case 'update':
    case 'stop':
      return supervisor[step]();
    case 'kill': {
      const last = pids.at(-1);
      if (last !== undefined && isAlive(last)) process.kill(last, 'SIGKILL');
      return Promise.resolve();
    }
    case 'add folder':
      roots.push(`/${roots.length}`);
      return supervisor.update();
    case 'remove folder':
      roots.pop();
      return supervisor.update();
    case 'call':
      return supervisor.ready(AbortSignal.timeout(50)).then(
        (client) => client.runTool({ tool: 'echo', input: 1, signal: never }).catch((error: unknown) => error),
        (error: unknown) => error,
      );
  }
}

test('whatever happens together, in the end one sidecar serves the final folders, and no other is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 8 }), async (steps) => {
      const supervised = supervise();
      const { supervisor, roots, pids, states } = supervised;
      await Promise.all(steps.map((step) => happen(step, supervised)));
      if (roots.length === 0) roots.push('/last');
      await supervisor.restart();
      const client = await supervisor.ready(never);
      const { pid, projects } = await client.status(never);
      expect(projects.map(({ root }) => root)).toEqual(roots);
      expect(pids.filter(isAlive)).toEqual([pid]);
      await supervisor.end();
      expect(pids.filter(isAlive)).toEqual([]);
      expect(states.at(-1)).toEqual({ kind: 'off' });
    }),
    { numRuns: 8 },
  );
});
