import { mkdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import type { Detector } from './detector.ts';
import { keyOf, listFolder } from './folder.ts';
import { DETECTORS } from './index.ts';
import { firstLook, looksUnchanged, refresh, type Trace, traceOf } from './trace.ts';

const LATER_MS = 60_000;
const signal = AbortSignal.timeout(30_000);
let project: FixtureProject;

beforeEach(() => {
  project = new FixtureProject();
});
afterEach(() => project.remove());

/** The trace as seen a minute from now, when file times differ. */
function settled(file: string, watch: Trace['watch']): Trace {
  return traceOf(join(project.root, file), watch, Date.now() + LATER_MS);
}

it('does not trust a file changed a moment ago: another change may have the same time', () => {
  const path = project.write('x', '1');
  expect(looksUnchanged([traceOf(path, 'content', Date.now())])).toBe(false);
  expect(looksUnchanged([settled('x', 'content')])).toBe(true);
});

it('waits longer where file times are whole seconds', () => {
  const path = project.write('x', '1');
  const second = new Date(Math.floor(Date.now() / 1000) * 1000);
  utimesSync(path, second, second);
  expect(traceOf(path, 'content', Date.now() + 1_000).settled).toBe(false);
  expect(traceOf(path, 'content', Date.now() + 5_000).settled).toBe(true);
});

it('notices changes of content, presence and kind', () => {
  project.write('x', '1');
  const traces = [settled('x', 'content'), settled('gone', 'content'), settled('x', 'identity')];
  expect(traces.map((trace) => looksUnchanged([trace]))).toEqual([true, true, true]);
  project.write('x', '22');
  project.write('gone', '');
  expect(traces.map((trace) => looksUnchanged([trace]))).toEqual([false, false, true]);
  unlinkSync(join(project.root, 'x'));
  mkdirSync(join(project.root, 'x'));
  expect(looksUnchanged(traces.slice(2))).toBe(false);
});

it('leaves out what was missing in a folder that is checked, and nothing else', () => {
  const traces = [settled('absent', 'content'), settled('no/where', 'content')];
  expect(firstLook(traces).always).toEqual(traces);
  const folder = traceOf(project.root, 'folder', Date.now() + LATER_MS);
  expect(firstLook([folder, ...traces]).always).toEqual([folder, traces[1]]);
});

it('ignores other files in a folder', async () => {
  const wanted = { files: /^telling$/ };
  const list = keyOf(await listFolder(project.root, project.root, wanted, signal));
  const trace = traceOf(project.root, 'folder', Date.now() + LATER_MS, { list, wanted, root: project.root });
  project.write('noise', '');
  expect(looksUnchanged([trace])).toBe(false);
  const fresh = await refresh([trace], Date.now() + LATER_MS, signal);
  expect(fresh && looksUnchanged(fresh)).toBe(true);
});

it('does not detect databases again when a journal comes and goes', async () => {
  let runs = 0;
  const counting: Detector = {
    name: 'counting',
    looksFor: [],
    async detect() {
      runs += 1;
      return { found: [], skipped: [] };
    },
  };
  const book = project.book({ detectors: [...DETECTORS, counting] });
  const file = project.database('app.db');
  await book.state(signal);
  for (const text of ['a', 'b']) {
    writeFileSync(`${file}-journal`, text);
    await book.state(signal);
    unlinkSync(`${file}-journal`);
    await book.state(signal);
  }
  expect(runs).toBe(1);
  project.database('other.db');
  await book.state(signal);
  expect(runs).toBe(2);
});
