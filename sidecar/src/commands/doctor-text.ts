import { styleText } from 'node:util';
import { PROJECT_TOOLS_FOLDER } from '@devdb/shared/tools/project-tool-file';
import type { Skipped, Source } from '../projects/detector.ts';
import type { ConnectionReport, ConnectionTest, DoctorReport, SidecarState } from './doctor.ts';
import { printable } from './printable.ts';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
type Paint = (style: Style, text: string) => string;

const MOST_PLACES = 6;

/** The report for a person; with colours only where a terminal shows them. */
export function renderDoctor(report: DoctorReport, { color }: { readonly color: boolean }): string {
  const paint: Paint = (style, text) =>
    color ? styleText(style, printable(text), { validateStream: false }) : printable(text);
  return [
    paint('bold', `DevDB ${report.version}: ${report.projectRoot}`),
    '',
    paint('bold', 'Installation'),
    ...installation(report, paint),
    '',
    paint('bold', 'Looked for'),
    ...report.lookedFor.map(({ by, files }) => paint('dim', `  ${by}: ${lookedFor(files)}`)),
    '',
    paint('bold', 'Databases'),
    ...databases(report, paint),
    paint('dim', `  ${report.rule}`),
    ...section('Own tools', ownTools(report), paint),
    ...section('Left out', report.skipped.map(skippedLine), paint),
    ...section(
      'What to do',
      report.troubles.flatMap(({ what, next }) => [`- ${what}`, `  ${next}`]),
      paint,
    ),
    '',
    report.ok ? paint('green', 'The default database works.') : paint('red', 'No default database works.'),
  ].join('\n');
}

function installation({ node, home, bundle, sidecar }: DoctorReport, paint: Paint): string[] {
  return [
    `  Node      ${node}`,
    `  Home      ${home.dir}${home.exists ? '' : ' (not there yet; made at the first start)'}`,
    `  Program   ${bundle.dir}${bundle.complete ? '' : ' (incomplete)'}`,
    `  Window    ${sidecarLine(sidecar)}`,
  ].map((line) => paint('dim', line));
}

function sidecarLine(sidecar: SidecarState): string {
  if (sidecar.state === 'alive') return `answers on port ${sidecar.port} (version ${sidecar.version})`;
  if (sidecar.state === 'unknown') return sidecar.why;
  return sidecar.state === 'silent' ? `port ${sidecar.port}: ${sidecar.why}` : 'none has this project open';
}

function lookedFor(files: readonly string[]): string {
  const shown = files.slice(0, MOST_PLACES).join(', ');
  return files.length > MOST_PLACES ? `${shown} and ${files.length - MOST_PLACES} more places` : shown;
}

function databases({ connections }: DoctorReport, paint: Paint): string[] {
  if (connections.length === 0) return [paint('yellow', '  none')];
  return connections.flatMap((connection) => [
    paint('bold', `  ${connection.id}${connection.isDefault ? ' (default)' : ''}`),
    paint(
      'dim',
      `    ${connection.type} ${connection.target}, found in ${place(connection.source)} by ${connection.source.by}`,
    ),
    paint(styleOf(connection.test), `    ${testLine(connection)}`),
  ]);
}

function testLine({ test }: ConnectionReport): string {
  if (test.state === 'not-tried') return `not tried: ${test.reason}`;
  if (test.state === 'failed') return `[${test.code}] ${test.message}`;
  const tables = `${test.tables} ${test.tables === 1 ? 'table' : 'tables'}`;
  return `works: ${test.product} ${test.version}, ${tables}, ${test.ms} ms; reads are ${test.guard}: ${test.guardReason}`;
}

function styleOf(test: ConnectionTest): Style {
  return test.state === 'works' ? 'green' : test.state === 'failed' ? 'red' : 'yellow';
}

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines.map((line) => paint('dim', `  ${line}`))];
}

function ownTools({ tools: { read, problems } }: DoctorReport): string[] {
  if (read === 0 && problems.length === 0) return [];
  return [
    `${read} ${read === 1 ? 'tool was' : 'tools were'} read from ${PROJECT_TOOLS_FOLDER}`,
    ...problems.map(skippedLine),
  ];
}

function skippedLine({ file, line, reason }: Pick<Skipped, 'file' | 'line' | 'reason'>): string {
  return `${place({ file, line })}: ${reason}`;
}

function place({ file, line }: Pick<Source, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`;
}
