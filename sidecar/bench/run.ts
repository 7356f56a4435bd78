import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { measureCodeTools } from '../../extension/bench/code-tools.ts';
import { measureEditorTools } from '../../extension/bench/editor-tools.ts';
import { measureEventLoop } from '../../extension/bench/event-loop.ts';
import { measureFirstRows } from '../../extension/bench/first-rows.ts';
import { measureTyping } from '../../extension/bench/typing.ts';
import { runScript } from '../../fixtures/labs/steps.ts';
import { makeBenchProject } from './bench-project.ts';
import { measureCancel } from './cancel.ts';
import { ensureDbhub } from './dbhub.ts';
import { measureDetection } from './detection.ts';
import { measureExport } from './export.ts';
import type { Figure } from './measure.ts';
import { measureMillionRows } from './million-rows.ts';
import { measureOpenLoop } from './open-loop.ts';
import { measureServerCancel } from './server-cancel.ts';
import { measureServer } from './servers.ts';
import { measureSlowBesideFast } from './slow-beside-fast.ts';
import { measureSmallQuery } from './small-query.ts';
import { openStage, type Stage } from './stage.ts';
import { measureStartUp } from './start-up.ts';
import { measureTokens } from './tokens.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, '.cache', 'bench');
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** The measurements, by the names with which each can be run alone. */
const MEASUREMENTS: Readonly<Record<string, (stage: Stage) => Promise<Figure[]>>> = {
  'start-up': (stage) => measureStartUp(stage, join(CACHE, 'cold-home')),
  detection: () => measureDetection(join(CACHE, 'large')),
  tokens: measureTokens,
  'small-query': measureSmallQuery,
  'million-rows': measureMillionRows,
  export: measureExport,
  'slow-beside-fast': measureSlowBesideFast,
  'open-loop': measureOpenLoop,
  cancel: measureCancel,
  'server-cancel': () => measureServerCancel(join(CACHE, 'server-cancel')),
  postgres: () => measureServer('postgres', join(CACHE, 'postgres')),
  mysql: () => measureServer('mysql', join(CACHE, 'mysql')),
  editor: ({ project }) => measureEventLoop(project),
  'editor-tools': measureEditorTools,
  'code-tools': measureCodeTools,
  'first-rows': measureFirstRows,
  typing: measureTyping,
};

const HELP = `npm run bench -- [MEASUREMENT ...] [--json] [--write]

Without names all of it is measured, which takes about a quarter of an hour on two cores.
  --json   print the figures as JSON instead of a table
  --write  put the table into README.md
Measurements: ${Object.keys(MEASUREMENTS).join(', ')}
`;

async function main(args: readonly string[]): Promise<number> {
  const { values: options, positionals: wanted } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const unknown = wanted.filter((name) => !Object.hasOwn(MEASUREMENTS, name));
  if (unknown.length > 0) throw new Error(`No measurement ${unknown.join(', ')}.\n\n${HELP}`);
  ensureDbhub();
  const project = makeBenchProject(join(CACHE, 'project'));
  const stage = await openStage(project, join(CACHE, 'home'));
  const figures: Figure[] = [];
  const failed: string[] = [];
  try {
    for (const [name, measure] of Object.entries(MEASUREMENTS)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      process.stderr.write(`measuring: ${name}\n`);
      try {
        figures.push(...(await measure(stage)));
      } catch (error) {
        // The others are not lost.
        failed.push(name);
        process.stderr.write(`${inspect(error)}\n`);
      }
    }
  } finally {
    await stage.sidecar.stop();
  }
  process.stdout.write(
    options.json ? `${JSON.stringify({ machine: machine(), figures }, null, 2)}\n` : `${table(figures)}\n`,
  );
  if (failed.length > 0) {
    process.stderr.write(`failed: ${failed.join(', ')}; README.md is not changed\n`);
    return 1;
  }
  if (options.write) writeReadme(figures);
  return 0;
}

function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ what, budget, figure, met }) =>
      `| ${what} | ${budget} | ${figure} | ${met === undefined ? '–' : met ? 'yes' : '**no**'} |`,
  );
  return ['| what | budget | measured | met |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function writeReadme(figures: readonly Figure[]): void {
  const file = join(ROOT, 'README.md');
  const readme = readFileSync(file, 'utf8');
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`README.md lacks the lines ${BEGIN} and ${END}.`);
  const text = `${BEGIN}\n${table(figures)}\n\nMeasured on ${machine()}.\n${readme.slice(end)}`;
  writeFileSync(file, readme.slice(0, begin) + text);
}

await runScript(main);
