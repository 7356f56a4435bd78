import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Said = Readonly<Record<string, unknown>>;

/** A script of fixtures/children that reports facts as JSON lines. */
export interface FixtureChild {
  readonly process: ChildProcess;
  /** Everything it has reported so far. */
  readonly said: readonly Said[];
  /** The first fact with this key that no earlier call has taken. Rejects when the child ends before. */
  next(key: string): Promise<unknown>;
  write(line: string): void;
  /** Ends its stdin and resolves to its exit code. */
  end(): Promise<number | null>;
  kill(): Promise<number | null>;
}

const ROOT = join(__dirname, '..', '..', '..');
/** Some tests start hundreds of children, and compiling takes half of what one costs. */
const COMPILED = join(ROOT, '.cache', 'compiled');

export function startChild(script: string, args: readonly string[]): FixtureChild {
  const file = join(ROOT, 'fixtures', 'children', script);
  const child = spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', file, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said: Said[] = [];
  const untaken: Said[] = [];
  let wake: () => void = () => undefined;
  let exited = false;
  const exit = new Promise<number | null>((resolve) =>
    // Not `exit`: its last output may still be in the pipe then.
    child.once('close', (code) => {
      exited = true;
      wake();
      resolve(code);
    }),
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    const fact: Said = Object.fromEntries(Object.entries(JSON.parse(line)));
    said.push(fact);
    untaken.push(fact);
    wake();
  });
  // A killed child no longer reads.
  child.stdin.on('error', () => undefined);
  return {
    process: child,
    said,
    next: async (key) => {
      for (;;) {
        const at = untaken.findIndex((fact) => key in fact);
        if (at >= 0) return untaken.splice(at, 1)[0]?.[key];
        if (exited) throw new Error(`${script} ended without saying ${key}`);
        await new Promise<void>((resolve) => {
          const before = wake;
          wake = () => {
            before();
            resolve();
          };
        });
      }
    },
    write: (line) => child.stdin.write(`${line}\n`),
    end: () => {
      child.stdin.end();
      return exit;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
}
