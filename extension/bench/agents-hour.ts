import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { Typist } from '../../fixtures/labs/vscode/typist.ts';
import { milliseconds, percentile } from '../../sidecar/bench/measure.ts';
import type { SoakReport } from '../../sidecar/bench/soak/report.ts';
import { atMost, type Finding, flat } from '../../sidecar/bench/soak/verdict.ts';
import { movesSeen, typedFile, typeInto, watchMoves } from '../test/helpers/moves.ts';
import { makeCodeProject } from './code-project.ts';
import { type EditorStage, onStage, type Window } from './editor-stage.ts';
import { scratchFiles, stepOf } from './hour-mix.ts';

const TOOLSETS = ['database', 'refactor', 'code', 'ide', 'debug'];
const TYPED = 'src/typed.ts';
const LINES = Array.from({ length: 300 }, (_line, at) => `// Line ${at + 1}: `);
const AT_LINE = 150;
/** The editor's start, its language server's and the first compilation of our handlers. */
const WARM_UP_CALLS = 100;
const SETTLED_AFTER_MS = 10_000;
const IDLE_KEYS = 400;
const GAUGES = 20;
const SLOWER_BY_MS = 10;
const HEAP_SLACK_BYTES = 4 * 1024 * 1024;
const KEYS_ARRIVE_MS = 2_000;

interface HostGauge {
  readonly calls: number;
  readonly heapBytes: number;
}

export interface HourOptions {
  readonly calls: number;
  readonly say: (line: string) => void;
}

/**
 * An agent's calls one after the other in a project of 2,000 files, while a person types in the same window; returns a
 * text when there is no editor.
 */
export function soakEditor({ calls, say }: HourOptions): Promise<SoakReport | string> {
  const machineSettings = { 'Devdb.approvals': 'allow' };
  const settings = { 'files.autoSave': 'off' };
  return onStage({ project: makeProject, toolsets: TOOLSETS, settings, machineSettings }, (stage) =>
    new Hour(stage, say).run(calls),
  );
}

function makeProject(root: string): void {
  makeSampleProject(root);
  makeCodeProject(root);
  for (const [path, text] of [[TYPED, LINES.join('\n')] as const, ...scratchFiles()]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

class Hour {
  readonly #stage: EditorStage;
  readonly #say: (line: string) => void;
  readonly #wrong = new Map<string, number>();
  readonly #gauges: HostGauge[] = [];

  constructor(stage: EditorStage, say: (line: string) => void) {
    this.#stage = stage;
    this.#say = say;
  }

  async run(calls: number): Promise<SoakReport> {
    const { window, root } = this.#stage;
    for (let call = 0; call < WARM_UP_CALLS; call += 1) await this.#call(call);
    await typeInto(window, join(root, TYPED), AT_LINE);
    const typist = await Typist.at(window.page);
    await after(SETTLED_AFTER_MS);
    await typist.type(IDLE_KEYS);
    const idle = await typist.keyTimes();
    await watchMoves(window);
    const started = performance.now();
    let isOver = false;
    const typing = typist.typeUntil(() => isOver);
    try {
      await this.#callAll(calls);
    } finally {
      isOver = true;
      await typing;
    }
    const seconds = Math.round((performance.now() - started) / 1_000);
    const during = await typist.keyTimes();
    await after(KEYS_ARRIVE_MS);
    return {
      title: `an agent's ${calls} calls in ${seconds} s, while a person typed ${during.length} keys`,
      findings: [...typingFindings(idle, during), ...(await this.#editorFindings(typist)), ...this.#hostFindings()],
      wrong: this.#wrong,
    };
  }

  async #callAll(calls: number): Promise<void> {
    const every = Math.max(1, Math.ceil(calls / GAUGES));
    for (let call = 1; call <= calls; call += 1) {
      await this.#call(WARM_UP_CALLS + call);
      if (call % every !== 0 && call !== calls) continue;
      this.#gauges.push({ calls: call, heapBytes: await hostHeap(this.#stage.window) });
      const wrong = [...this.#wrong.values()].reduce((sum, count) => sum + count, 0);
      const heap = Math.round((this.#gauges.at(-1)?.heapBytes ?? 0) / 1024 / 1024);
      this.#say(`  ${call} of ${calls} calls: heap of the extension host ${heap} MB, wrong ${wrong}`);
    }
  }

  async #call(number: number): Promise<void> {
    const { tool, input } = stepOf(number);
    try {
      await this.#stage.call(tool, input);
    } catch (error) {
      // Numbers differ from call to call; the kind of failure does not.
      const sentence = (error instanceof Error ? error.message : String(error)).replaceAll(/\d+/g, 'N');
      this.#wrong.set(sentence, (this.#wrong.get(sentence) ?? 0) + 1);
    }
  }

  async #editorFindings({ typed }: Typist): Promise<Finding[]> {
    const { window, root } = this.#stage;
    const file = join(root, TYPED);
    const { active, text } = await typedFile(window, file);
    const wanted = LINES.with(AT_LINE - 1, `${LINES[AT_LINE - 1]}${typed}`).join('\n');
    const moves = (await movesSeen(window)).filter((move) => !move.startsWith('terminal opened: DevDB'));
    const wrong = [...this.#wrong.values()].reduce((sum, count) => sum + count, 0);
    return [
      yes('what the person typed', text === wanted, 'is there, letter for letter', 'differs'),
      yes('the keyboard', active === file, "is in the person's file", `is in ${active}`),
      yes(
        'the saved file',
        readFileSync(file, 'utf8') === LINES.join('\n'),
        'is as the person left it',
        'has been written',
      ),
      yes('editors, tabs and scrolling', moves.length === 0, 'nothing moved', moves.slice(0, 5).join('; ')),
      atMost('calls answered with an error', wrong, 0),
    ];
  }

  #hostFindings(): Finding[] {
    const read = ({ heapBytes }: HostGauge) => heapBytes;
    return [flat('heap of the extension host', this.#gauges, read, HEAP_SLACK_BYTES)];
  }
}

function typingFindings(idle: readonly number[], during: readonly number[]): Finding[] {
  const [before, beside] = [percentile(idle, 0.95), percentile(during, 0.95)];
  return [
    {
      what: 'from a key to the screen, p95',
      figure: `${milliseconds(beside)}, idle ${milliseconds(before)} (p50 ${milliseconds(percentile(during, 0.5))}, idle ${milliseconds(percentile(idle, 0.5))})`,
      rule: `at most ${SLOWER_BY_MS} ms more than idle`,
      isFine: beside <= before + SLOWER_BY_MS,
    },
  ];
}

function yes(what: string, isFine: boolean, rule: string, otherwise: string): Finding {
  return { what, figure: isFine ? rule : otherwise, rule, isFine };
}

/** After a full collection, so that garbage does not count. */
async function hostHeap(window: Window): Promise<number> {
  return z.number().parse(await window.run(heapBytes));
}

/** Runs in the extension host, which only gets its source. */
async function heapBytes(_vscode: typeof vscode): Promise<number> {
  const { Session } = process.getBuiltinModule('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
