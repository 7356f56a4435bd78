import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Attack, attacksOn, textOf } from '../../fixtures/labs/regex-attacks.ts';
import { type RegexInSource, regexesIn, slowParts } from '../../fixtures/labs/regexes.ts';
import type { RegexJob, RegexTimes } from './helpers/regex-thread.ts';

const ROOT = join(import.meta.dirname, '../..');
const SMALL = 8 * 1024;
/** The size of the largest settings file that is read. */
const LARGE = 256 * 1024;
/** Linear patterns take a few ms, quadratic ones half a minute. */
const LIMIT_MS = 2_000;

/** Runs patterns in a thread that can be ended. */
class RegexRunner {
  #thread: Worker | undefined;

  /** Undefined when it did not end in time. */
  async run(job: RegexJob, limitMs: number): Promise<RegexTimes | undefined> {
    this.#thread ??= new Worker(join(import.meta.dirname, 'helpers/regex-thread.ts'));
    const thread = this.#thread;
    const { promise, resolve, reject } = Promise.withResolvers<RegexTimes | undefined>();
    const tooLong = setTimeout(() => resolve(undefined), limitMs);
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.postMessage(job);
    const times = await promise;
    clearTimeout(tooLong);
    thread.removeAllListeners('message').removeAllListeners('error');
    if (times === undefined) await this.end();
    return times;
  }

  async end(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = undefined;
  }
}

const runner = new RegexRunner();
afterAll(() => runner.end());

/** A sentence when a pattern takes too long on its worst text; otherwise undefined. */
async function tooSlow({ file, line, source, flags }: RegexInSource, limitMs = 60_000): Promise<string | undefined> {
  const where = `${file}:${line} /${source}/${flags}`;
  const attacks = attacksOn(source, flags);
  const small = await runner.run({ source, flags, texts: attacks.map((attack) => textOf(attack, SMALL)) }, limitMs);
  if (small === undefined) return `${where}: does not end on ${SMALL} characters`;
  const slowest = worst(attacks, small);
  const large = await runner.run({ source, flags, texts: slowest.map((attack) => textOf(attack, LARGE)) }, limitMs);
  const ms = large === undefined ? Number.POSITIVE_INFINITY : Math.max(...large);
  return ms > LIMIT_MS
    ? `${where}: ${Math.round(ms)} ms on ${JSON.stringify(slowest[large?.indexOf(ms) ?? 0])}`
    : undefined;
}

function worst(attacks: readonly Attack[], times: RegexTimes): Attack[] {
  const order = attacks.map((attack, index) => ({ attack, ms: times[index] ?? 0 }));
  return order
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 2)
    .map(({ attack }) => attack);
}

const { regexes, computed } = regexesIn(ROOT);

test('every regular expression of the sidecar and of shared is a literal in the sources', () => {
  expect(computed).toEqual([]);
  expect(regexes.length).toBeGreaterThan(400);
});

test('each of them processes 256 KiB of its worst text quickly', async () => {
  const slow: string[] = [];
  for (const regex of regexes) {
    const sentence = await tooSlow(regex);
    if (sentence !== undefined) slow.push(sentence);
  }
  expect(slow).toEqual([]);
}, 300_000);

describe('a slow one is found', () => {
  // Each was once in the sources, or resembles one that was.
  test.each([
    ['([^=;]+?)\\s*=\\s*(?:"((?:[^"]|"")*)"|([^;]*?))\\s*(?:;|$)', 'y'],
    ['\\s+$', ''],
    ['(a+)+$', ''],
    ['<%[\\s\\S]*?%>', 'g'],
    ['"(?:[^"\\\\]|\\\\.)*"', 'g'],
  ])(
    'by running it: /%s/%s',
    async (source, flags) => {
      expect(await tooSlow({ file: 'x.ts', line: 1, source, flags }, 4_000)).toMatch(/^x\.ts:1 /);
    },
    60_000,
  );

  test.each([
    ['(a+)+$', ''],
    ['\\s*([^=;]+?)\\s*=', 'y'],
    ['0+$', ''],
  ])('by reading it: /%s/%s', (source, flags) => {
    expect(slowParts({ file: 'x.ts', line: 7, source, flags })[0]).toMatch(/^x\.ts:7 .*quadratic|exponential/);
  });
});
