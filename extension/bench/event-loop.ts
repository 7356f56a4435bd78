import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { obtainVsCode } from '../../fixtures/labs/vscode/install.ts';
import { VsCode } from '../../fixtures/labs/vscode/vscode.ts';
import type { EditorWindow } from '../../fixtures/labs/vscode/window.ts';
import type { BenchProject } from '../../sidecar/bench/bench-project.ts';
import { type Figure, milliseconds } from '../../sidecar/bench/measure.ts';

const EXTENSION = join(import.meta.dirname, '..');
const DRIVER = createRequire(join(EXTENSION, '..', 'sidecar', 'package.json')).resolve('better-sqlite3');
const LIMIT_MS = 2;
const IDLE_MS = 8_000;
/** By then everything an editor does after its start is over. */
const SETTLED_AFTER_MS = 15_000;
const SLOW_MS = 30_000;
/** In process nothing can stop a statement, so it gets one that takes a few seconds. */
const ENDLESS = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c';
const FEW_SECONDS =
  'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000000) SELECT count(*) FROM c';
const ALL_ROWS = 'SELECT id, kind, amount, note FROM events';
const ANSWERS = 20;
const EXPORT = 'bench-editor.csv';

type Window = EditorWindow<typeof vscode>;

type ToolCall = readonly [tool: string, input: object];

interface Delay {
  readonly p99: number;
  readonly max: number;
}

/** How late the extension host's own work runs: while DevDB works, and while the same work is done in its process. */
export async function measureEventLoop(project: BenchProject): Promise<Figure[]> {
  const install = await obtainVsCode();
  if ('notRun' in install) return [notMeasured(install.notRun)];
  const editor = await VsCode.start<typeof vscode>({ install, extension: EXTENSION });
  try {
    const window = await editor.open(project.root);
    await window.statusText(/:\d+/);
    return await measureIn(window, project);
  } finally {
    await editor.stop();
  }
}

async function measureIn(window: Window, { root, database }: BenchProject): Promise<Figure[]> {
  await window.run(idleDelay, SETTLED_AFTER_MS);
  const idle = await window.run(idleDelay, IDLE_MS);
  const slow = await delayDuring(window, [['run-query', { query: ENDLESS, timeoutMs: SLOW_MS }]]);
  const answer = ['run-query', { query: ALL_ROWS }] as const;
  const exported = ['export-query', { query: ALL_ROWS, path: EXPORT, format: 'csv' }] as const;
  const rows = await delayDuring(window, [...repeated(answer), exported]);
  if (!existsSync(join(root, EXPORT))) throw new Error('The export of a million rows was not written.');
  rmSync(join(root, EXPORT));
  const largest = await delayDuring(window, repeated(['run-query', { query: ALL_ROWS, limit: 10_000 }]));
  const slowInside = await window.run(delayInProcess, DRIVER, database, FEW_SECONDS);
  const rowsInside = await window.run(delayInProcess, DRIVER, database, ALL_ROWS);
  return [
    figure('event-loop delay of the extension host (p99) during a query of 30 s, beside idle', idle, slow, slowInside),
    figure(`the same, during ${ANSWERS} SELECTs of 1,000,000 rows and an export of them`, idle, rows, rowsInside),
    // More than a model reads: shown beside the budget.
    {
      ...figure(`the same, during ${ANSWERS} answers of 1 MiB`, idle, largest, rowsInside),
      budget: '–',
      met: undefined,
    },
  ];
}

function repeated(call: ToolCall): ToolCall[] {
  return Array.from({ length: ANSWERS }, () => call);
}

/** The editor asks before each call; here the answer is yes. */
async function delayDuring(window: Window, calls: readonly ToolCall[]): Promise<Delay> {
  const running = window.run(delayOfTools, calls);
  for (const _call of calls) await window.press('Yes');
  return running;
}

function figure(what: string, idle: Delay, during: Delay, inside: Delay): Figure {
  return {
    what,
    budget: `≤ idle + ${LIMIT_MS} ms`,
    figure:
      `${milliseconds(during.p99)} (idle ${milliseconds(idle.p99)}; longest ${milliseconds(during.max)}; ` +
      `the same work inside the extension host: ${milliseconds(inside.max)})`,
    met: during.p99 <= idle.p99 + LIMIT_MS,
    numbers: { idleMs: idle.p99, duringMs: during.p99, longestMs: during.max, insideMs: inside.max },
  };
}

function notMeasured(why: string): Figure {
  return {
    what: 'event-loop delay of the extension host',
    budget: `≤ idle + ${LIMIT_MS} ms`,
    figure: `not measured: ${why}`,
    met: undefined,
    numbers: {},
  };
}

// The following functions run in the extension host, which only gets their source.

async function idleDelay(_vscode: typeof vscode, ms: number): Promise<Delay> {
  const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, ms));
  delay.disable();
  return { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
}

async function delayOfTools(code: typeof vscode, calls: readonly ToolCall[]): Promise<Delay> {
  const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const [tool, input] of calls) {
    try {
      await code.lm.invokeTool(`devdb_${tool}`, { input, toolInvocationToken: undefined });
    } catch (error) {
      // The endless statement is meant to reach its deadline.
      if (!String(error).includes('E_TIMEOUT')) throw error;
    }
  }
  delay.disable();
  return { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
}

async function delayInProcess(_vscode: typeof vscode, driver: string, database: string, sql: string): Promise<Delay> {
  const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
  const Database = process.getBuiltinModule('node:module').createRequire(driver)(driver);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const connection = new Database(database, { readonly: true });
  JSON.stringify(connection.prepare(sql).all());
  connection.close();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  delay.disable();
  return { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
}
