import { AppError } from '@devdb/shared/errors';
import { type PooledConnection, ServerPool } from './server-pool.ts';

class GoneAway extends Error {}

/** A connection whose server can silently disappear, which shows when it is used. */
class Line implements PooledConnection {
  isBroken = false;
  readonly isBusy = false;
  isLost = false;

  async reset(): Promise<void> {
    if (this.isLost) this.isBroken = true;
  }

  close(): void {
    this.isBroken = true;
  }

  cut(): void {
    this.isBroken = true;
  }

  send(): void {
    if (!this.isLost) return;
    this.isBroken = true;
    throw new GoneAway('terminating connection');
  }
}

function poolOf(connect: () => Promise<Line>): ServerPool<Line> {
  const parts = {
    name: 'test',
    connect,
    stop: async (line: Line) => line.cut(),
    stillRuns: async () => false,
    isLost: (error: unknown) => error instanceof GoneAway,
    lost: (_: unknown, reached: string) => new AppError('E_NO_CONNECTION', `lost, ${reached}`),
    refused: () => new AppError('E_NO_CONNECTION', 'refused'),
  };
  return new ServerPool(parts, () => undefined);
}

const { signal } = new AbortController();
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a connection lost before the statement was sent', () => {
  it('is silently replaced if it was idle in the pool, even if it has never been used', async () => {
    const made: Line[] = [];
    const second = Promise.withResolvers<void>();
    const pool = poolOf(async () => {
      if (made.length === 1) await second.promise;
      const line = new Line();
      made.push(line);
      return line;
    });
    // The second call waits for a new connection, and gets the first one's when that is returned sooner.
    const held = Promise.withResolvers<void>();
    const first = pool.use(signal, () => held.promise);
    const waiting = pool.use(signal, async (line) => made.indexOf(line));
    await turn();
    held.resolve();
    await first;
    expect(await waiting).toBe(0);
    second.resolve();
    await turn();
    expect(made).toHaveLength(2);
    for (const line of made) line.isLost = true;
    expect(await pool.use(signal, async (line) => line.send())).toBeUndefined();
    expect(made.length).toBeGreaterThan(2);
    await pool.end();
  });

  it('is reported if it was made for the call, since the next one would fare no better', async () => {
    let made = 0;
    const pool = poolOf(async () => {
      made += 1;
      const line = new Line();
      line.isLost = true;
      return line;
    });
    await expect(pool.use(signal, async (line) => line.send())).rejects.toThrow('lost, nothing-sent');
    expect(made).toBe(1);
    await pool.end();
  });

  it('is reported where the statement may have arrived', async () => {
    const made: Line[] = [];
    const pool = poolOf(async () => {
      const line = new Line();
      made.push(line);
      return line;
    });
    await pool.use(signal, async (line) => line.send());
    await turn();
    for (const line of made) line.isLost = true;
    const call = pool.use(signal, async (line, progress) => {
      progress.reached = 'maybe-committed';
      line.send();
    });
    await expect(call).rejects.toThrow('lost, maybe-committed');
    expect(made).toHaveLength(1);
    await pool.end();
  });
});
