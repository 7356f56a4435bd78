import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TOOLSETS } from '@devdb/shared/tools';
import type * as vscode from 'vscode';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { type Figure, median, milliseconds, timed } from '../../sidecar/bench/measure.ts';
import { activationMs } from '../test/helpers/activation-profile.ts';
import { type AgentCall, type EditorStage, onStage, type Window } from './editor-stage.ts';

const FOLDERS = 100;
const FILES = 20_000;
const RARE = 'the rare text of one file';
const SEARCHES = 9;
const ROUNDS = 10;
const CALLS = 30;
/** What an editor does after its start is over by then. */
const SETTLED_AFTER_MS = 15_000;
const SEARCH_FACTOR = 2;
const ROUND_TRIP_MS = 1;
const ACTIVATION_MS = 50;
const STARTS = 3;

/** What tools that run in the editor cost beside what they are made of: ripgrep, and the editor's own API. */
export async function measureEditorTools(): Promise<Figure[]> {
  const figures = await onStage({ project: makeTree, toolsets: ['database', 'code', 'ide'] }, measureOn);
  if (typeof figures === 'string') return [notMeasured(figures)];
  const starts: Activation[] = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(...(await activation()));
  return [...figures, activationFigure(starts)];
}

interface Activation {
  /** At the first start of an installed version, whose code is compiled then. */
  readonly firstMs: number;
  /** At every other start. */
  readonly laterMs: number;
}

/** What DevDB takes of the extension host's first five seconds, with everything on that it has. */
async function activation(): Promise<Activation[]> {
  const env = { DEVDB_LAB_PROFILE: '1' };
  const spent = await onStage({ project: makeSampleProject, toolsets: TOOLSETS, env }, async ({ window }) => {
    const firstMs = await activationMs(window);
    await window.reload();
    return { firstMs, laterMs: await activationMs(window) };
  });
  return typeof spent === 'string' ? [] : [spent];
}

function activationFigure(starts: readonly Activation[]): Figure {
  const firstMs = median(starts.map((start) => start.firstMs));
  const laterMs = median(starts.map((start) => start.laterMs));
  return {
    what: 'activation with all toolsets, of the first 5 s of the extension host',
    budget: `≤ ${ACTIVATION_MS} ms`,
    figure: `${milliseconds(laterMs)} (${milliseconds(firstMs)} at the first start after an installation)`,
    met: laterMs <= ACTIVATION_MS,
    numbers: { ms: laterMs, firstMs },
  };
}

async function measureOn({ call, root, window, ripgrep }: EditorStage): Promise<Figure[]> {
  await after(SETTLED_AFTER_MS);
  return [await searchFigure(call, ripgrep, root), ...(await roundTrips(call, window, root))];
}

/** Many small files of several lines, and two of code. */
function makeTree(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(root, 'many', `${folder}`), { recursive: true });
    for (let file = 0; file < FILES / FOLDERS; file += 1) {
      const lines = Array.from(
        { length: 40 },
        (_line, at) => `line ${at} of ${folder}/${file}, with some common words`,
      );
      if (folder === 42 && file === 7) lines.push(RARE);
      writeFileSync(join(root, 'many', `${folder}`, `${file}.txt`), `${lines.join('\n')}\n`);
    }
  }
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'tsconfig.json'), '{ "include": ["src"] }\n');
  writeFileSync(
    join(root, 'src', 'area.ts'),
    'export function area(side: number): number {\n  return side * side;\n}\n',
  );
  const uses = Array.from({ length: 20 }, (_use, at) => `export const a${at} = area(${at});\n`);
  writeFileSync(join(root, 'src', 'use.ts'), `import { area } from './area';\n${uses.join('')}`);
}

/** The two take turns, so that what else the machine does meets both. */
async function searchFigure(call: AgentCall, ripgrep: string, root: string): Promise<Figure> {
  const args = ['--files-with-matches', '--fixed-strings', '--hidden', '--glob=!.git', '--', RARE, '.'];
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let turn = -1; turn < SEARCHES; turn += 1) {
    const own = await timed(async () => {
      const found = await call('search_in_files_content', { searchText: RARE });
      if (!found.includes('many/42/7.txt')) throw new Error(`The search found something else: ${found}`);
    });
    const raw = await timed(() => promisify(execFile)(ripgrep, args, { cwd: root }));
    // The first turn fills the disk's cache for both.
    if (turn < 0) continue;
    ours.push(own);
    theirs.push(raw);
  }
  const [own, raw] = [median(ours), median(theirs)];
  return {
    what: `search_in_files_content over stdio through ${FILES.toLocaleString('en')} files, beside ripgrep`,
    budget: `≤ ${SEARCH_FACTOR}x`,
    figure: `${milliseconds(own)} to ${milliseconds(raw)} (${(own / raw).toFixed(2)}x)`,
    met: own <= SEARCH_FACTOR * raw,
    numbers: { ms: own, ripgrepMs: raw },
  };
}

async function roundTrips(call: AgentCall, window: Window, root: string): Promise<Figure[]> {
  const file = join(root, 'src', 'use.ts');
  const area = join(root, 'src', 'area.ts');
  const column = readFileSync(area, 'utf8').indexOf('area');
  const text = await besideBare(
    () => call('get_file_text_by_path', { pathInProject: 'src/use.ts' }),
    (count) => window.run(readTimes, file, count),
  );
  const references = await besideBare(
    () => call('code_references', { path: 'src/area.ts', symbol: 'area' }),
    (count) => window.run(referenceTimes, area, column, count),
  );
  return [roundTrip('get_file_text_by_path', text), roundTrip('code_references (20 uses)', references)];
}

interface Medians {
  readonly own: number;
  readonly bare: number;
}

/** The two take turns, so that what else the machine does meets both. */
async function besideBare(
  run: () => Promise<unknown>,
  runBare: (count: number) => Promise<readonly number[]>,
): Promise<Medians> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let turn = -1; turn < ROUNDS; turn += 1) {
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) times.push(await timed(run));
    const bareTimes = await runBare(CALLS);
    // The first round compiles both.
    if (turn < 0) continue;
    own.push(...times);
    bare.push(...bareTimes);
  }
  return { own: median(own), bare: median(bare) };
}

function roundTrip(tool: string, { own, bare }: Medians): Figure {
  return {
    what: `${tool} over stdio, p50, beside the bare API call in the extension host`,
    budget: `≤ +${ROUND_TRIP_MS} ms`,
    figure: `${milliseconds(own)} to ${milliseconds(bare)} (${own < bare ? '-' : '+'}${milliseconds(Math.abs(own - bare))})`,
    met: own - bare <= ROUND_TRIP_MS,
    numbers: { ms: own, bareMs: bare },
  };
}

function notMeasured(why: string): Figure {
  return {
    what: 'tools that run in the editor',
    budget: '–',
    figure: `not measured: ${why}`,
    met: undefined,
    numbers: {},
  };
}

// What follows runs in the extension host: only the text of each function gets there.

async function readTimes(code: typeof vscode, file: string, count: number): Promise<number[]> {
  const uri = code.Uri.file(file);
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const began = performance.now();
    await code.workspace.decode(await code.workspace.fs.readFile(uri), { uri });
    times.push(performance.now() - began);
  }
  return times;
}

async function referenceTimes(code: typeof vscode, file: string, column: number, count: number): Promise<number[]> {
  const uri = code.Uri.file(file);
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const began = performance.now();
    await code.commands.executeCommand('vscode.executeReferenceProvider', uri, new code.Position(0, column));
    times.push(performance.now() - began);
  }
  return times;
}
