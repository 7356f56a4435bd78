import { setTimeout as after } from 'node:timers/promises';
import * as z from 'zod';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import type { FrameLocator } from '../../fixtures/labs/vscode/playwright.ts';
import { type Figure, median, milliseconds, percentile } from '../../sidecar/bench/measure.ts';
import { type EditorStage, onStage } from './editor-stage.ts';

/** SQLite takes its clock when it makes the first row; all million of them have that moment. */
const QUERY = `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000000)
SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS made_at, i FROM c`;
const RUNS = 20;
const BUDGET_MS = 50;
/** What an editor does after its start is over by then. */
const SETTLED_AFTER_MS = 15_000;

/** Notes for each result how long after the engine had its first row the frame with it was drawn. */
const WATCH = `(() => {
  window.drawnAfter = [];
  let last = '';
  const look = () => {
    const text = document.getElementById('cell-0-0')?.textContent ?? '';
    if (!/^\\d{13}$/.test(text) || text === last) return;
    last = text;
    requestAnimationFrame(() => {
      // The task after the frame's own work.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.drawnAfter.push(performance.timeOrigin + performance.now() - Number(text));
      port2.postMessage(0);
    });
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** From the engine's first row to the frame that shows it, in a tab that is open. */
export async function measureFirstRows(): Promise<Figure[]> {
  const what = 'first rows on show after the engine has its first row (p50; a million rows follow)';
  const budget = `≤ ${BUDGET_MS} ms`;
  const times = await onStage({ project: makeSampleProject, toolsets: ['database'] }, runAgainAndAgain);
  if (typeof times === 'string')
    return [{ what, budget, figure: `not measured: ${times}`, met: undefined, numbers: {} }];
  const [middle, worst] = [median(times), percentile(times, 0.95)];
  const figure = `${milliseconds(middle)} (p95 ${milliseconds(worst)}; ${times.length} runs)`;
  return [{ what, budget, figure, met: middle <= BUDGET_MS, numbers: { p50Ms: middle, p95Ms: worst } }];
}

async function runAgainAndAgain({ root, window }: EditorStage): Promise<number[]> {
  await after(SETTLED_AFTER_MS);
  await window.command('devdb.query.openData', { root, query: QUERY });
  const page = window.page.frameLocator('iframe.webview >> nth=-1').frameLocator('iframe#active-frame');
  await isComplete(page);
  await page.locator('body').evaluate(WATCH);
  for (let run = 0; run < RUNS; run += 1) {
    await window.command('devdb.query.openData', { root, query: QUERY });
    await isComplete(page);
  }
  return z
    .array(z.number())
    .min(RUNS)
    .parse(await page.locator('body').evaluate('window.drawnAfter'));
}

async function isComplete(page: FrameLocator): Promise<void> {
  await page
    .locator('[role=status]')
    .filter({ hasText: /^1,000,000 rows · \S+ · / })
    .waitFor();
}
