import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { McpClient } from '../../../fixtures/labs/mcp-client.ts';
import { CONNECTION_IDLE_MS } from '../../src/engines/limits.ts';
import { type InspectedSidecar, serveInspected } from './inspected-sidecar.ts';
import { lookAtRest, residentBytes } from './look.ts';
import { ask, expectError, kindOf, perform, type Scene } from './mix.ts';
import type { SoakReport } from './report.ts';
import { openSubject, type Subject, type SubjectName } from './subject.ts';
import { atMost, type Finding, type Gauge, memoryFindings, type Rest, restFindings } from './verdict.ts';

/** Calls in progress at once; a server has ten connections for them. */
const WORKERS = 8;
const ROUND = 100;
const GAUGES = 20;
const DROPPED_CALLS = 2;
const DROP_AGAIN_MS = 1_000;
const LOOK_EVERY_MS = 250;
const SOON_MS = 5_000;
/** The pool checks for idle connections at intervals. */
const REST_MS = CONNECTION_IDLE_MS + 10_000;

export interface SoakOptions {
  readonly name: SubjectName;
  readonly calls: number;
  /** `dist/cli.js` of the bundle to run. */
  readonly cli: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

/** Soaks one engine with its own sidecar, home and project; returns a text when the engine is not available. */
export async function soakEngine({ name, calls, cli, env, say }: SoakOptions): Promise<SoakReport | string> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-soak-')));
  const [root, home, temp] = [join(base, 'project'), join(base, 'home'), join(base, 'temp')];
  for (const folder of [home, temp]) mkdirSync(folder, { mode: 0o700 });
  let sidecar: InspectedSidecar | undefined;
  let why = '';
  const subject = await openSubject(
    name,
    root,
    () => sidecar?.pid ?? 0,
    (reason) => {
      why = reason;
    },
  );
  try {
    if (subject === undefined) return why;
    say(`${subject.name} ${subject.version}`);
    const childEnv = { DEVDB_LOG_LEVEL: 'error', ...env, DEVDB_HOME: home, TMPDIR: temp, TEMP: temp, TMP: temp };
    sidecar = await serveInspected(cli, root, childEnv);
    const client = (): McpClient => new McpClient({ command: process.execPath, args: [cli, 'mcp'], env: childEnv });
    return await new EngineSoak(subject, sidecar, client, [root, home, temp], say).run(calls);
  } finally {
    await sidecar?.stop();
    await subject?.remove();
    rmSync(base, { recursive: true, force: true });
  }
}

class EngineSoak {
  readonly #subject: Subject;
  readonly #sidecar: InspectedSidecar;
  readonly #client: () => McpClient;
  readonly #folders: readonly string[];
  readonly #say: (line: string) => void;
  readonly #wrong = new Map<string, number>();
  readonly #gauges: Gauge[] = [];
  #writes = 0;
  #drops = 0;

  constructor(
    subject: Subject,
    sidecar: InspectedSidecar,
    client: () => McpClient,
    folders: readonly string[],
    say: (line: string) => void,
  ) {
    this.#subject = subject;
    this.#sidecar = sidecar;
    this.#client = client;
    this.#folders = folders;
    this.#say = say;
  }

  async run(calls: number): Promise<SoakReport> {
    const before = await this.#rest();
    const client = this.#client();
    await client.initialize('soak');
    const started = performance.now();
    await this.#callAll({ client, subject: this.#subject, root: this.#folders[0] ?? '' }, calls, started);
    const seconds = Math.round((performance.now() - started) / 1_000);
    const soon = await this.#connectionsWithin(SOON_MS, this.#subject.mostConnections);
    const counted = await this.#subject.counted();
    await client.close();
    this.#say(`  ${calls} calls in ${seconds} s; waiting until idle connections are given back ...`);
    await this.#connectionsWithin(REST_MS, this.#subject.mostIdleConnections);
    const rest = restFindings(before, await this.#rest(), this.#subject.mostIdleConnections);
    return {
      title: `${this.#subject.name} ${this.#subject.version}: ${calls} calls in ${seconds} s, connections dropped ${this.#drops} times`,
      findings: [
        ...this.#answers(),
        this.#writesFinding(counted),
        atMost('connections right after the last call', soon, this.#subject.mostConnections),
        ...rest,
        ...memoryFindings(this.#gauges),
      ],
      wrong: this.#wrong,
    };
  }

  async #callAll(scene: Scene, calls: number, started: number): Promise<void> {
    const gaugeEvery = Math.max(ROUND, Math.ceil(calls / GAUGES / ROUND) * ROUND);
    for (let done = 0; done < calls; ) {
      const end = Math.min(calls, done + ROUND);
      await this.#round(scene, done, end);
      done = end;
      if (this.#subject.canDrop) await this.#dropConnections(scene, done);
      if (done % gaugeEvery !== 0 && done !== calls) continue;
      await this.#gauge(scene.client, done);
      this.#sayProgress(done, calls, started);
    }
  }

  /** Workers take a round's calls one after the other; it ends when all are answered. */
  async #round(scene: Scene, from: number, to: number): Promise<void> {
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to) {
        const call = next;
        next += 1;
        try {
          if ((await perform(scene, call)) === 'write') this.#writes += 1;
        } catch (error) {
          this.#count(`${kindOf(call)}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }

  /** Statements whose connection the server drops report it, and the next call gets another connection. */
  async #dropConnections({ client, subject, root }: Scene, call: number): Promise<void> {
    const mark = `drop ${call}`;
    const slow = Array.from({ length: DROPPED_CALLS }, () =>
      ask(client, 'run-query', { projectRoot: root, query: subject.slowQuery(mark) }),
    );
    const settled = Promise.allSettled(slow);
    try {
      await untilAtLeast(DROPPED_CALLS, () => subject.running(mark));
      await dropUntil(settled, () => subject.drop());
      for (const answer of await Promise.all(slow)) expectError(answer, /^\[E_(NO_CONNECTION|SQL)\]/);
      const { isError, text } = await ask(client, 'run-query', { projectRoot: root, query: 'SELECT n FROM counter' });
      if (isError) throw new Error(`the next call answered ${text.slice(0, 300)}`);
      this.#drops += 1;
    } catch (error) {
      this.#count(`dropped connections: ${error instanceof Error ? error.message : String(error)}`);
    }
    await settled;
  }

  async #gauge(client: McpClient, calls: number): Promise<void> {
    const { rssBytes, heapBytes } = await this.#sidecar.inspector.heap();
    const connections = await this.#subject.connections();
    this.#gauges.push({ calls, rssBytes, heapBytes, entryRssBytes: residentBytes(client.pid ?? 0), connections });
  }

  #sayProgress(done: number, calls: number, started: number): void {
    const gauge = this.#gauges.at(-1);
    if (gauge === undefined) return;
    const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
    const seconds = Math.round((performance.now() - started) / 1_000);
    const wrong = [...this.#wrong.values()].reduce((sum, count) => sum + count, 0);
    this.#say(
      `  ${String(done).padStart(String(calls).length)} of ${calls} calls, ${seconds} s: heap ${mb(gauge.heapBytes)}, sidecar ${mb(gauge.rssBytes)}, entry ${mb(gauge.entryRssBytes)}, connections ${gauge.connections}, wrong ${wrong}`,
    );
  }

  async #rest(): Promise<Rest> {
    return lookAtRest(this.#sidecar.pid, await this.#subject.connections(), this.#folders);
  }

  /** The number of connections once it is within the bound, or when the time is up. */
  async #connectionsWithin(ms: number, bound: number): Promise<number> {
    const deadline = performance.now() + ms;
    for (;;) {
      const connections = await this.#subject.connections();
      if (!(connections > bound) || performance.now() > deadline) return connections;
      await after(LOOK_EVERY_MS);
    }
  }

  #count(sentence: string): void {
    // Numbers differ from call to call; the kind of failure does not.
    const same = sentence.replaceAll(/\d+/g, 'N');
    this.#wrong.set(same, (this.#wrong.get(same) ?? 0) + 1);
  }

  #answers(): Finding[] {
    const wrong = [...this.#wrong.values()].reduce((sum, count) => sum + count, 0);
    const running = this.#sidecar.isRunning();
    return [
      {
        what: 'calls answered otherwise than they have to be',
        figure: String(wrong),
        rule: 'none',
        isFine: wrong === 0,
      },
      { what: 'the sidecar', figure: running ? 'runs' : 'ended', rule: 'runs to the end', isFine: running },
    ];
  }

  #writesFinding(counted: number): Finding {
    return {
      what: 'writes in the database',
      figure: `${counted} of ${this.#writes}`,
      rule: 'as many as were answered',
      isFine: counted === this.#writes,
    };
  }
}

/** Drops again when a statement still in transit has started after the first time. */
async function dropUntil(settled: Promise<unknown>, drop: () => Promise<void>): Promise<void> {
  const over = settled.then(() => true);
  do await drop();
  while (!(await Promise.race([over, after(DROP_AGAIN_MS, false, { ref: false })])));
}

async function untilAtLeast(count: number, read: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + SOON_MS;
  while ((await read()) < count) {
    if (performance.now() > deadline) throw new Error(`fewer than ${count} slow statements began to run`);
    await after(5);
  }
}
