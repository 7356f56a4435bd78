import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { NODE_FLAGS } from '../../fixtures/labs/steps.ts';
import { type Gauge, LEAST_CALLS_FOR_MEMORY, memoryFindings, type Rest, restFindings } from '../bench/soak/verdict.ts';

const SOAK = join(__dirname, '..', 'bench', 'soak.ts');
const MB = 1024 * 1024;

function soak(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...NODE_FLAGS, SOAK, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

describe('npm run soak', () => {
  it('calls through a real sidecar, drops connections, counts what is left, and lists the engines it left out', async () => {
    const { code, output } = await soak('--no-build', '--calls', '200', '--engines', 'sqlite');
    expect(output).toContain('200 calls in');
    expect(output).toContain(`connections dropped ${process.platform === 'linux' ? 2 : 0} times`);
    expect(output).toMatch(/ok {5}calls answered otherwise than they have to be: 0/);
    expect(output).toMatch(/ok {5}writes in the database: 8 of 8/);
    expect(output).toMatch(/ok {5}files left behind: none/);
    expect(output).toContain(`judged from ${LEAST_CALLS_FOR_MEMORY} calls on`);
    expect(output).toContain('not run: SQL Server');
    expect(code).toBe(0);
  });

  it('refuses an unknown engine, by name', async () => {
    const { code, output } = await soak('--engines', 'oracle');
    expect(output).toContain('No engine oracle; there are sqlite, postgres, mysql, mariadb.');
    expect(code).toBe(1);
  });
});

describe('the verdict of a soak', () => {
  function gauges(calls: number, bytesPerCall: number): Gauge[] {
    return Array.from({ length: 20 }, (_, index) => {
      const done = ((index + 1) * calls) / 20;
      // Anything in the first quarter is warm-up.
      const warmUp = Math.min(done, calls / 4) * 5_000;
      const heapBytes = 20 * MB + warmUp + done * bytesPerCall;
      return { calls: done, heapBytes, rssBytes: heapBytes * 4, entryRssBytes: 60 * MB, connections: 1 };
    });
  }
  const verdicts = (all: readonly Gauge[]) => memoryFindings(all).map(({ isFine }) => isFine);

  it('finds a leak of half a kilobyte per call over ten thousand calls', () => {
    expect(verdicts(gauges(10_000, 512))[0]).toBe(false);
  });

  it('finds memory outside the heap that grows with the calls', () => {
    const all = gauges(10_000, 0).map((gauge) => ({ ...gauge, rssBytes: gauge.rssBytes + gauge.calls * 8_000 }));
    expect(verdicts(all)).toEqual([true, false, true]);
  });

  it('does not mistake a warm-up and garbage collection noise for a leak', () => {
    const all = gauges(10_000, 0).map((gauge, index) => ({
      ...gauge,
      heapBytes: gauge.heapBytes + (index % 3) * 300_000,
    }));
    expect(verdicts(all)).toEqual([true, true, true]);
  });

  it('does not judge memory after few calls', () => {
    expect(verdicts(gauges(1_000, 10_000))).toEqual([undefined, undefined, undefined]);
  });

  const rest: Rest = { openFiles: 30, children: 0, connections: 0, files: ['/p/soak.db'] };
  const broken = (after: Partial<Rest>) =>
    restFindings(rest, { ...rest, ...after }, 1).flatMap(({ what, isFine }) => (isFine === true ? [] : [what]));

  it.each([
    ['connections that stay', { connections: 2 }, 'connections when idle'],
    ['processes that stay', { children: 2 }, 'child processes when idle'],
    ['files that stay open', { openFiles: 40 }, 'open files and sockets when idle'],
    ['files that stay', { files: ['/p/soak.db', '/p/cancelled-7.csv'] }, 'files left behind'],
  ])('finds %s, and nothing else', (_, after, what) => {
    expect(broken(after)).toEqual([what]);
    expect(broken({})).toEqual([]);
  });
});
