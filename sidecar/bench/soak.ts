import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { soakEditor } from '../../extension/bench/agents-hour.ts';
import { runNode, runScript } from '../../fixtures/labs/steps.ts';
import { isFine, type SoakReport } from './soak/report.ts';
import { soakEngine } from './soak/soak-engine.ts';
import { SUBJECT_NAMES, type SubjectName } from './soak/subject.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, 'sidecar', 'dist', 'cli.js');
const CALLS = 10_000;
const EDITOR_CALLS = 2_000;

const USAGE = `Usage: npm run soak -- [--calls N] [--engines ${SUBJECT_NAMES.join(',')}] [--no-build]
       npm run soak -- editor [--calls N] [--no-build]

Calls each engine ${CALLS} times through the real stdio entry and a real sidecar: reads, capped reads, errors, writes,
exports, cancels, time-outs, connections that the server drops. Ends with 1 when something leaks or answers wrongly.

editor: ${EDITOR_CALLS} calls of mixed tools in a real window, while a person types in it. Ends with 1 when typing gets
slow, the editor moves under the person, or its extension host grows.
`;

/** Runs thousands of calls on every engine, and checks that nothing is left behind. */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      calls: { type: 'string' },
      engines: { type: 'string', default: SUBJECT_NAMES.join(',') },
      'no-build': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(USAGE);
  if (positionals.some((word) => word !== 'editor')) throw new Error(`No soak ${positionals.join(' ')}.\n\n${USAGE}`);
  const ofEditor = positionals.length > 0;
  const calls = values.calls === undefined ? undefined : callsOf(values.calls);
  const names = enginesOf(values.engines);
  if (!values['no-build']) {
    const built = await runNode(['fixtures/labs/build.ts'], { show: true });
    if (built.code !== 0) return built.code;
  }
  return ofEditor
    ? sayAll([await soakEditor({ calls: calls ?? EDITOR_CALLS, say })])
    : soakEngines(names, calls ?? CALLS);
}

async function soakEngines(names: readonly SubjectName[], calls: number): Promise<number> {
  const reports: (SoakReport | string)[] = [];
  for (const name of names) reports.push(await soakEngine({ name, calls, cli: CLI, env: process.env, say }));
  return sayAll([...reports, 'SQL Server (the soak has no calls for it)']);
}

/** A text instead of a report is what was not run, and why. */
function sayAll(results: readonly (SoakReport | string)[]): number {
  const reports = results.flatMap((result) => (typeof result === 'string' ? [] : [result]));
  for (const report of reports) sayReport(report);
  for (const result of results) if (typeof result === 'string') say(`not run: ${result}`);
  return reports.every(isFine) && reports.length > 0 ? 0 : 1;
}

function callsOf(text: string): number {
  const calls = Number(text);
  if (!Number.isInteger(calls) || calls < 1) throw new Error(`--calls takes a whole number.\n\n${USAGE}`);
  return calls;
}

function enginesOf(list: string): SubjectName[] {
  return list.split(',').map((word) => {
    const found = SUBJECT_NAMES.find((name) => name === word.trim());
    if (found === undefined) throw new Error(`No engine ${word}; there are ${SUBJECT_NAMES.join(', ')}.`);
    return found;
  });
}

function sayReport(report: SoakReport): void {
  say(`\n${report.title}`);
  for (const { what, figure, rule, isFine: fine } of report.findings) {
    const mark = fine === undefined ? '–     ' : fine ? 'ok    ' : 'FAILED';
    say(`  ${mark} ${what}: ${figure} (${rule})`);
  }
  for (const [sentence, count] of [...report.wrong].slice(0, 10)) say(`         ${count} × ${sentence}`);
  say(`  ${isFine(report) ? 'nothing leaks' : 'NOT in order'}`);
}

function say(line: string): 0 {
  process.stdout.write(`${line}\n`);
  return 0;
}

await runScript(main);
