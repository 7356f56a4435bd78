import { inLine, item, restOfLine } from './line-items.ts';
import type { PlanFlag, PlanNode } from './plans.ts';

/*
 * Answers as a model reads them, in lines. Each form says all that the data says; list-connections alone leaves out what
 * a model has no use for. They were chosen by their tokens: a record of these is kept with the bench.
 */

export interface Match {
  readonly kind: string;
  readonly name: string;
  readonly table?: string | undefined;
  readonly type?: string | undefined;
  readonly comment?: string | undefined;
}

interface Search {
  readonly matches: readonly Match[];
  readonly total: number;
  readonly truncated: boolean;
  readonly near?: readonly string[] | undefined;
}

/** Matches of one kind and table in a line, up to one with a comment: `column customers: id INTEGER, email TEXT # his`. */
export function searchText({ matches, total, truncated, near }: Search): string {
  const lines: { readonly head: string; readonly items: string[]; comment?: string | undefined }[] = [];
  for (const match of matches) {
    const head = match.table === undefined ? match.kind : `${match.kind} ${item(match.table, [': '])}`;
    let line = lines.at(-1);
    if (line?.head !== head || line.comment !== undefined) {
      line = { head, items: [] };
      lines.push(line);
    }
    line.items.push(matchText(match));
    line.comment = match.comment;
  }
  return [
    ...lines.map(({ head, items, comment }) => {
      const end = comment === undefined ? '' : ` # ${restOfLine(comment)}`;
      return `${head}: ${items.join(', ')}${end}`;
    }),
    ...(truncated ? [`truncated: ${matches.length} of ${total}`] : []),
    ...(matches.length === 0 ? ['no match'] : []),
    ...(near === undefined ? [] : [`near: ${inLine(near)}`]),
  ].join('\n');
}

const PLAIN_NAME = /^[^\s"=,#()]+$/u;

/** `name`, `name type`; the name, or both, as JSON where they could be taken for something else. */
function matchText({ name, type }: Match): string {
  const own = PLAIN_NAME.test(name) ? name : JSON.stringify(name);
  if (type === undefined) return own;
  return item(type, ['#']) === type ? `${own} ${type}` : `=${JSON.stringify({ name, type })}`;
}

interface Explanation {
  readonly plan: readonly PlanNode[];
  readonly flags: readonly PlanFlag[];
  readonly analyzed: boolean;
  readonly measured?: { readonly rows: number; readonly durationMs: number } | undefined;
}

/** A step in a line, those below it further in; `~` for estimated rows, `=` for those found. Warnings follow with `!`. */
export function planText({ plan, flags, analyzed, measured }: Explanation): string {
  const ran = measured === undefined ? '' : `: ${measured.rows} rows in ${measured.durationMs} ms`;
  return [
    ...plan.flatMap((step) => stepLines(step, '')),
    ...flags.map(({ flag, table, message }) => {
      const of = table === undefined ? '' : ` on ${stepName(table)}`;
      return `! ${flag}${of}: ${restOfLine(message)}`;
    }),
    ...(analyzed || measured !== undefined ? [`${analyzed ? 'analyzed' : 'measured'}${ran}`] : []),
  ].join('\n');
}

function stepLines(
  { operation, table, index, detail, estimatedRows, actualRows, children }: PlanNode,
  indent: string,
): string[] {
  const line = [
    `${indent}${operation}`,
    table === undefined ? '' : `on ${stepName(table)}`,
    index === undefined ? '' : `by ${stepName(index)}`,
    estimatedRows === undefined ? '' : `~${estimatedRows}`,
    actualRows === undefined ? '' : `=${actualRows}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  const told = detail === undefined ? line : `${line}: ${restOfLine(detail)}`;
  return [told, ...children.flatMap((child) => stepLines(child, `${indent}  `))];
}

function stepName(name: string): string {
  return /^(?:primary key|[\p{L}_][\p{L}\p{N}_.$]*)$/u.test(name) ? name : JSON.stringify(name);
}

interface Export {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly format: string;
  readonly columns: readonly string[];
  readonly totals?: Readonly<Record<string, number | string>> | undefined;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** What was written, in a line each: the file, its columns, the totals as JSON, the first and the last row. */
export function exportText({ path, rows, bytes, format, columns, totals, first, last }: Export): string {
  return [
    `${rows} rows, ${bytes} bytes, ${format}: ${restOfLine(path)}`,
    `columns: ${inLine(columns)}`,
    ...(totals === undefined ? [] : [`totals: ${JSON.stringify(totals)}`]),
    ...(first === undefined ? [] : [`first: ${restOfLine(first)}`]),
    ...(last === undefined ? [] : [`last: ${restOfLine(last)}`]),
  ].join('\n');
}

interface Connections {
  readonly connections: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly target: string;
    readonly source: { readonly file: string; readonly line?: number | undefined; readonly by: string };
    readonly isDefault: boolean;
    readonly trusted: boolean;
    readonly needsTrust?: string | undefined;
    readonly guard: string;
    readonly guardReason: string;
  }[];
  readonly skipped: readonly { readonly file: string; readonly line?: number | undefined; readonly reason: string }[];
}

/**
 * The connections as short JSON: what is usual (trusted, nothing skipped) is left out, and why reads are guarded as
 * they are is stated only where the engine does not enforce it.
 */
export function connectionsText({ connections, skipped }: Connections): string {
  const shown = connections.map((one) => ({
    id: one.id,
    name: one.name,
    type: one.type,
    target: one.target,
    source: `${placeText(one.source)} (${one.source.by})`,
    ...(one.isDefault ? { default: true } : {}),
    ...(one.trusted ? {} : { trusted: false }),
    ...(one.needsTrust === undefined ? {} : { needsTrust: one.needsTrust }),
    reads: one.guard === 'enforced' ? one.guard : `${one.guard}: ${one.guardReason}`,
  }));
  const left = skipped.map((one) => ({ at: placeText(one), reason: one.reason }));
  return JSON.stringify({ connections: shown, ...(left.length === 0 ? {} : { skipped: left }) });
}

function placeText({ file, line }: { readonly file: string; readonly line?: number | undefined }): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** The statement that creates the table, and who references it, as a comment below. */
export function schemaText(data: {
  readonly schema: string;
  readonly referencedBy?: readonly string[] | undefined;
}): string {
  const { schema, referencedBy = [] } = data;
  return referencedBy.length === 0 ? schema : `${schema}\n\n-- Referenced by: ${inLine(referencedBy)}`;
}
