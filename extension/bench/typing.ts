import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { Typist } from '../../fixtures/labs/vscode/typist.ts';
import { type Figure, milliseconds, percentile } from '../../sidecar/bench/measure.ts';
import { typeInto } from '../test/helpers/moves.ts';
import { type EditorStage, onStage } from './editor-stage.ts';

const TYPED = 'typed.ts';
const LINES = Array.from({ length: 300 }, (_line, at) => `// Line ${at + 1}: `);
const AT_LINE = 150;
const QUERIES = 'large.sql';
const MILLION_ROWS = `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000000)
SELECT i AS id, 'row ' || i AS label, i * 1.5 AS amount FROM c;
`;
const ENDLESS = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c';
const SLOW_MS = 30_000;
/** What an editor does after its start is over by then. */
const SETTLED_AFTER_MS = 15_000;
const IDLE_KEYS = 250;
const SLOWER_BY_MS = 10;

/** From a key to the frame that shows it: with nothing else to do, and beside a slow query and a million rows. */
export async function measureTyping(): Promise<Figure[]> {
  const times = await onStage({ project: makeProject, toolsets: ['database'] }, typeBesideQueries);
  if (typeof times === 'string') return [notMeasured(times)];
  const [idle, during] = [p95(times.idle), p95(times.during)];
  return [
    {
      what: 'a key until it is on show (p95), beside a query of 30 s and a million rows in the grid',
      budget: `≤ idle + ${SLOWER_BY_MS} ms`,
      figure: `${milliseconds(during)} (idle ${milliseconds(idle)}; ${times.during.length} keys)`,
      met: during <= idle + SLOWER_BY_MS,
      numbers: { idleMs: idle, duringMs: during },
    },
  ];
}

function makeProject(root: string): void {
  makeSampleProject(root);
  writeFileSync(join(root, TYPED), LINES.join('\n'));
  writeFileSync(join(root, QUERIES), MILLION_ROWS);
}

async function typeBesideQueries({ root, window, call }: EditorStage): Promise<{ idle: number[]; during: number[] }> {
  await after(SETTLED_AFTER_MS);
  await typeInto(window, join(root, TYPED), AT_LINE);
  const typist = await Typist.at(window.page);
  await typist.type(IDLE_KEYS);
  const idle = await typist.keyTimes();
  const slow = call('run-query', { query: ENDLESS, timeoutMs: SLOW_MS }).catch(expectTimeout);
  await window.run(runBeside, join(root, QUERIES), join(root, TYPED));
  let isOver = false;
  const ended = slow.finally(() => {
    isOver = true;
  });
  await Promise.all([typist.typeUntil(() => isOver), ended]);
  return { idle, during: await typist.keyTimes() };
}

/** The slow query is meant to reach its deadline. */
function expectTimeout(error: unknown): void {
  if (!String(error).includes('E_TIMEOUT')) throw error;
}

/** Runs in the extension host. The grid opens beside the file in which the person types on. */
async function runBeside(code: typeof vscode, queries: string, typed: string): Promise<void> {
  await code.window.showTextDocument(code.Uri.file(queries), { viewColumn: code.ViewColumn.Two });
  const gridOpens = new Promise((resolve) => {
    code.window.tabGroups.onDidChangeTabs(({ opened }) => {
      if (opened.some(({ input }) => input instanceof code.TabInputWebview)) resolve(undefined);
    });
  });
  // Ends with the last row.
  void code.commands.executeCommand('devdb.runAllStatements', code.Uri.file(queries));
  await gridOpens;
  await code.window.showTextDocument(code.Uri.file(typed), { viewColumn: code.ViewColumn.One });
}

function p95(times: readonly number[]): number {
  return percentile(times, 0.95);
}

function notMeasured(why: string): Figure {
  return {
    what: 'a key until it is on show',
    budget: `≤ idle + ${SLOWER_BY_MS} ms`,
    figure: `not measured: ${why}`,
    met: undefined,
    numbers: {},
  };
}
