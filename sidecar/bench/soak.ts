import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runNode, runScript } from '../../fixtures/labs/steps.ts';
import { type EngineReport, soakEngine } from './soak/soak-engine.ts';
import { SUBJECT_NAMES, type SubjectName } from './soak/subject.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, 'sidecar', 'dist', 'cli.js');
const CALLS = 10_000;

const USAGE = `Usage: npm run soak -- [--calls N] [--engines ${SUBJECT_NAMES.join(',')}] [--no-build]

Calls each engine ${CALLS} times through the real stdio entry and a real sidecar: reads, capped reads, errors, writes,
exports, cancels, time-outs, connections that the server drops. Ends with 1 when something leaks or answers wrongly.
`;

/** Runs thousands of calls on every engine, and checks that nothing is left behind. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: String(CALLS) },
      engines: { type: 'string', default: SUBJECT_NAMES.join(',') },
      'no-build': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(USAGE);
  const calls = Number(values.calls);
  if (!Number.isInteger(calls) || calls < 1) throw new Error(`--calls takes a whole number.\n\n${USAGE}`);
  const names = enginesOf(values.engines);
  if (!values['no-build']) {
    const built = await runNode(['fixtures/labs/build.ts'], { show: true });
    if (built.code !== 0) return built.code;
  }
  const reports: EngineReport[] = [];
  const notRun = ['SQL Server (the soak has no calls for it)'];
  for (const name of names) {
    const report = await soakEngine({ name, calls, cli: CLI, env: process.env, say });
    if (typeof report === 'string') notRun.push(report);
    else reports.push(report);
  }
  for (const report of reports) sayReport(report);
  for (const why of notRun) say(`not run: ${why}`);
  return reports.every(isFine) && reports.length > 0 ? 0 : 1;
}

function enginesOf(list: string): SubjectName[] {
  return list.split(',').map((word) => {
    const found = SUBJECT_NAMES.find((name) => name === word.trim());
    if (found === undefined) throw new Error(`No engine ${word}; there are ${SUBJECT_NAMES.join(', ')}.`);
    return found;
  });
}

function isFine({ findings }: EngineReport): boolean {
  return findings.every((finding) => finding.isFine !== false);
}

function sayReport(report: EngineReport): void {
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
