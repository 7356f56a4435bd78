import { type ProjectToolFile, projectToolFile } from '@devdb/shared/tools/project-tool-file';
import type * as z from 'zod';
import { type Located, lineAt, plain, type Reading } from '../detection/readers/located.ts';
import { readYaml } from '../detection/readers/yaml.ts';
import { type Fault, faultsOf } from './check-file.ts';
import type { CustomTool, ToolProblem } from './custom-tool.ts';
import { definitionOf } from './describe-tool.ts';
import { MAX_PROBLEMS_OF_A_FILE } from './limits.ts';

export type ParsedFile = { readonly tool: CustomTool } | { readonly problems: readonly ToolProblem[] };

/** Makes a tool from a file's text, or lists its mistakes by line. */
export function parseToolFile(file: string, source: string): ParsedFile {
  const found = parse(source);
  if (!('faults' in found)) return { tool: toolOf(file, found) };
  const { faults, more } = found;
  const problems = faults.map(({ line, reason }) => ({ file, line, reason }));
  return { problems: more > 0 ? [...problems, { file, reason: `and ${more} more mistakes` }] : problems };
}

interface LineFault {
  readonly line: number;
  readonly reason: string;
}

/** The first mistakes, and how many more there are. */
interface Mistakes {
  readonly faults: readonly LineFault[];
  readonly more: number;
}

function parse(source: string): ProjectToolFile | Mistakes {
  const { value, problems } = readSource(source);
  if (problems.length > 0) return firstOf(problems, (problem) => problem);
  if (value?.kind !== 'object') {
    return { faults: [{ line: value?.line ?? 1, reason: 'is not a map of names and values' }], more: 0 };
  }
  const parsed = projectToolFile.safeParse(plain(value));
  const faults = parsed.success
    ? faultsOf(parsed.data)
    : parsed.error.issues.flatMap((issue) => issueFaults(issue, value));
  if (parsed.success && faults.length === 0) return parsed.data;
  return firstOf(faults, (fault) => ({ line: lineOf(fault, value, source), reason: reasonOf(fault) }));
}

function firstOf<T>(all: readonly T[], lineFault: (fault: T) => LineFault): Mistakes {
  const first = all.slice(0, MAX_PROBLEMS_OF_A_FILE);
  return { faults: first.map(lineFault), more: all.length - first.length };
}

function readSource(source: string): Reading {
  try {
    return readYaml(source);
  } catch (error) {
    // The parser recurses once per bracket, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return { value: undefined, problems: [{ line: 1, reason: 'is nested too deeply' }] };
  }
}

function issueFaults(issue: z.core.$ZodIssue, value: Located): Fault[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], reason: 'unknown field' }));
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, reason: `is not ${message}` }));
  if (issue.code === 'invalid_type' && !stands(value, path)) return [{ path, reason: 'is missing' }];
  return [{ path, reason: issue.code === 'invalid_format' ? `must be ${issue.message}` : issue.message }];
}

function stands(value: Located, path: readonly string[]): boolean {
  const [head, ...rest] = path;
  if (head === undefined) return true;
  const next =
    value.kind === 'object' ? value.entries.get(head) : value.kind === 'array' ? value.items[Number(head)] : undefined;
  return next !== undefined && stands(next, rest);
}

function lineOf({ path, text }: Fault, value: Located, source: string): number {
  const line = lineAt(value, path);
  if (text === undefined) return line;
  const at = source
    .split('\n')
    .slice(line - 1)
    .findIndex((it) => it.includes(text));
  return at < 0 ? line : line + at;
}

function reasonOf({ path, reason }: Fault): string {
  return path.length === 0 ? reason : `${path.join('.')}: ${reason}`;
}

function toolOf(path: string, file: ProjectToolFile): CustomTool {
  return {
    definition: definitionOf(file, path),
    alias: file.alias,
    file: path,
    enabled: file.mcp.enabled ?? true,
    sql: file.sql,
    params: new Map(Object.entries(file.params ?? {}).map(([name, { type }]) => [name, type])),
    connection: file.connection,
    timeoutMs: file.mcp.timeout,
  };
}
