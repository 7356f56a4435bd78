import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { obtainVsCode } from '../../fixtures/labs/vscode/install.ts';
import { VsCode } from '../../fixtures/labs/vscode/vscode.ts';
import type { EditorWindow } from '../../fixtures/labs/vscode/window.ts';
import { type Figure, median, milliseconds, timed } from '../../sidecar/bench/measure.ts';
import { findRipgrep } from '../src/editor/search/ripgrep.ts';

const EXTENSION = join(import.meta.dirname, '..');
const FOLDERS = 100;
const FILES = 20_000;
const RARE = 'the rare text of one file';
const SEARCHES = 9;
const CALLS = 200;
const WARM_UP = 20;
/** What an editor does after its start is over by then. */
const SETTLED_AFTER_MS = 15_000;
const SEARCH_FACTOR = 2;
const ROUND_TRIP_MS = 1;

const resultSchema = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

type Window = EditorWindow<typeof vscode>;
type Call = (tool: string, input: object) => Promise<string>;

/** What tools that run in the editor cost beside what they are made of: ripgrep, and the editor's own API. */
export async function measureEditorTools(): Promise<Figure[]> {
  const install = await obtainVsCode();
  if ('notRun' in install) return [notMeasured(install.notRun)];
  const ripgrep = findRipgrep(install.appRoot);
  if (ripgrep === undefined) return [notMeasured('the editor brings no ripgrep')];
  const settings = { 'Devdb.mcp.toolsets': ['database', 'code', 'ide'] };
  const editor = await VsCode.start<typeof vscode>({ install, extension: EXTENSION, settings });
  try {
    const root = makeTree(join(editor.projects, 'tree'));
    const window = await editor.open(root);
    await window.statusText(/:\d+/);
    await after(SETTLED_AFTER_MS);
    const client = await clientOf(editor.home);
    try {
      const call: Call = async (tool, input) => textOf(await client.callTool(tool, { projectRoot: root, ...input }));
      return [await searchFigure(call, ripgrep, root), ...(await roundTrips(call, window, root))];
    } finally {
      await client.close();
    }
  } finally {
    await editor.stop();
  }
}

/** Many small files of several lines, and two of code. */
function makeTree(root: string): string {
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
  return root;
}

async function clientOf(home: string): Promise<McpClient> {
  const launcher = join(home, '.devdb', 'bin', 'devdb-mcp.cjs');
  if (!existsSync(launcher)) throw new Error('The editor has not put its launcher into its home.');
  const args = [launcher, '--toolsets', 'code,ide', '--timeout', '120000'];
  const client = new McpClient({ command: process.execPath, args, env: { PATH: process.env['PATH'], HOME: home } });
  await client.initialize('bench');
  return client;
}

function textOf(raw: unknown): string {
  const { isError = false, content } = resultSchema.parse(raw);
  const text = content.map((part) => part.text).join('\n');
  if (isError) throw new Error(text);
  return text;
}

/** The two take turns, so that what else the machine does meets both. */
async function searchFigure(call: Call, ripgrep: string, root: string): Promise<Figure> {
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

async function roundTrips(call: Call, window: Window, root: string): Promise<Figure[]> {
  const file = join(root, 'src', 'use.ts');
  const area = join(root, 'src', 'area.ts');
  const column = readFileSync(area, 'utf8').indexOf('area');
  const text = await medianOf(() => call('get_file_text_by_path', { pathInProject: 'src/use.ts' }));
  const bareText = median(await window.run(readTimes, file, CALLS));
  const references = await medianOf(() => call('code_references', { path: 'src/area.ts', symbol: 'area' }));
  const bareReferences = median(await window.run(referenceTimes, area, column, CALLS));
  return [
    roundTrip('get_file_text_by_path', text, bareText),
    roundTrip('code_references (20 uses)', references, bareReferences),
  ];
}

async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = -WARM_UP; turn < CALLS; turn += 1) {
    const time = await timed(run);
    if (turn >= 0) times.push(time);
  }
  return median(times);
}

function roundTrip(tool: string, own: number, bare: number): Figure {
  return {
    what: `${tool} over stdio, p50, beside the bare API call in the extension host`,
    budget: `≤ +${ROUND_TRIP_MS} ms`,
    figure: `${milliseconds(own)} to ${milliseconds(bare)} (+${milliseconds(own - bare)})`,
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
