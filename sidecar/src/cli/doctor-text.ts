import { styleText } from 'node:util';
import {
  isPlain,
  joined,
  nameText,
  type PlainText,
  pathText,
  plain,
  plainJson,
  sentenceText,
} from '@devdb/shared/plain-text';
import { PROJECT_TOOLS_FOLDER } from '@devdb/shared/tools/project-tool-file';
import type { Skipped, Source } from '../detection/detector.ts';
import type { ConnectionTest, DoctorReport, SidecarState } from './doctor.ts';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
type Paint = (style: Style, text: PlainText) => string;

const MOST_PLACES = 6;

/** The report for a person; in color only where a terminal supports it. */
export function renderDoctor(report: DoctorReport, { color }: { readonly color: boolean }): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const { version, projectRoot, skipped, troubles } = report;
  return [
    paint('bold', plain`DevDB ${nameText(version)}: ${pathText(projectRoot)}`),
    '',
    paint('bold', plain`Installation`),
    ...installation(report, paint),
    '',
    paint('bold', plain`Databases`),
    ...databases(report, paint),
    paint('dim', plain`  ${sentenceText(report.rule)}`),
    ...section(plain`Own tools`, ownTools(report), paint),
    ...section(plain`Left out`, skipped.map(skippedLine), paint),
    ...section(plain`Looked for`, lookedForLines(report), paint),
    ...section(
      plain`What to do`,
      troubles.flatMap(({ what, next }) => [plain`- ${sentenceText(what)}`, plain`  ${sentenceText(next)}`]),
      paint,
    ),
    ...section(plain`Suggestion`, suggested(report), paint),
    '',
    report.ok ? paint('green', plain`The default database works.`) : paint('red', plain`No default database works.`),
  ].join('\n');
}

function installation({ node, home, bundle, sidecar }: DoctorReport, paint: Paint): string[] {
  const notThere = home.exists ? plain`` : plain` (created at the first start)`;
  const incomplete = bundle.complete ? plain`` : plain` (incomplete)`;
  return [
    plain`  Node      ${nameText(node)}`,
    plain`  Home      ${pathText(home.dir)}${notThere}`,
    plain`  Program   ${pathText(bundle.dir)}${incomplete}`,
    plain`  Window    ${sidecarLine(sidecar)}`,
  ].map((line) => paint('dim', line));
}

function sidecarLine(sidecar: SidecarState): PlainText {
  if (sidecar.state === 'alive') {
    return plain`answers on port ${sidecar.port} (version ${nameText(sidecar.version)})`;
  }
  if (sidecar.state === 'unknown') return sentenceText(sidecar.why);
  return sidecar.state === 'silent'
    ? plain`port ${sidecar.port}: ${sentenceText(sidecar.why)}`
    : plain`no window has this project open`;
}

/** Every place only where nothing was found: else the names are enough. */
function lookedForLines({ lookedFor, connections }: DoctorReport): PlainText[] {
  if (connections.length > 0) return [joined(lookedFor.map(({ by }) => nameText(by)))];
  return lookedFor.map(({ by, files }) => plain`${nameText(by)}: ${filesLine(files)}`);
}

function filesLine(files: readonly string[]): PlainText {
  const shown = joined(files.slice(0, MOST_PLACES).map(pathText));
  return files.length > MOST_PLACES ? plain`${shown} and ${files.length - MOST_PLACES} more places` : shown;
}

function databases({ connections }: DoctorReport, paint: Paint): string[] {
  if (connections.length === 0) return [paint('yellow', plain`  none`)];
  return connections.flatMap(({ id, type, target, source, isDefault, test }) => [
    paint('bold', plain`  ${id}${isDefault ? plain` (default)` : plain``}`),
    paint('dim', plain`    ${nameText(type)} ${target}, found in ${place(source)} by ${nameText(source.by)}`),
    paint(styleOf(test), plain`    ${testLine(test)}`),
  ]);
}

function testLine(test: ConnectionTest): PlainText {
  if (test.state === 'not-tried') return plain`not tried: ${sentenceText(test.reason)}`;
  if (test.state === 'failed') return plain`[${nameText(test.code)}] ${sentenceText(test.message)}`;
  const tables = test.tables === 1 ? plain`1 table` : plain`${test.tables} tables`;
  const server = plain`${nameText(test.product)} ${sentenceText(test.version)}`;
  const reads = plain`${nameText(test.guard)}: ${sentenceText(test.guardReason)}`;
  return plain`works: ${server}, ${tables}, ${test.ms} ms; reads are ${reads}`;
}

function styleOf(test: ConnectionTest): Style {
  return test.state === 'works' ? 'green' : test.state === 'failed' ? 'red' : 'yellow';
}

function section(title: PlainText, lines: readonly PlainText[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines.map((line) => paint('dim', plain`  ${line}`))];
}

function ownTools({ tools: { read, problems } }: DoctorReport): PlainText[] {
  if (read === 0 && problems.length === 0) return [];
  const were = read === 1 ? plain`tool was` : plain`tools were`;
  return [plain`${read} ${were} read from ${pathText(PROJECT_TOOLS_FOLDER)}`, ...problems.map(skippedLine)];
}

/** Pasted as it is, it is a valid `.devdbrc`. */
function suggested({ suggestion }: DoctorReport): PlainText[] {
  if (suggestion === undefined) return [];
  const line = plainJson(suggestion.line);
  return [
    plain`${place(suggestion.from)} is half understood. Put this into .devdbrc, and correct what differs:`,
    isPlain(line) ? line : plain``,
  ];
}

function skippedLine({ file, line, reason }: Pick<Skipped, 'file' | 'line' | 'reason'>): PlainText {
  return plain`${place({ file, line })}: ${sentenceText(reason)}`;
}

function place({ file, line }: Pick<Source, 'file' | 'line'>): PlainText {
  return line === undefined ? pathText(file) : plain`${pathText(file)}:${line}`;
}
