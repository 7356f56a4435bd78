import { MAX_DESCRIPTION_BYTES } from '@devdb/shared/limits';
import type { ProjectToolFile, ProjectToolParameter } from '@devdb/shared/tools/project-tool-file';
import { descriptionOf } from './describe-tool.ts';
import { valueField } from './parameter-fields.ts';
import { outlineSql } from './sql-outline.ts';

/** A mistake that the file's shape alone does not show. */
export interface Fault {
  /** Which value in the file is wrong. */
  readonly path: readonly string[];
  readonly reason: string;
  /** For a mistake inside the statement: the text that shows its line. */
  readonly text?: string;
}

/** The mistakes in a file whose shape is right. */
export function faultsOf(file: ProjectToolFile): Fault[] {
  const params = Object.entries(file.params ?? {});
  return [
    ...params.flatMap(([name, parameter]) => parameterFaults(name, parameter)),
    ...twins(params.map(([name]) => name)),
    ...sqlFaults(file, new Set(params.map(([name]) => name))),
    ...hintFaults(file),
    ...descriptionFaults(file),
  ];
}

function parameterFaults(name: string, parameter: ProjectToolParameter): Fault[] {
  const { type, min, max, enum: choices, default: given } = parameter;
  const fault = (field: string, reason: string): Fault => ({ path: ['params', name, field], reason });
  // `toString` and others like it exist on every object.
  if (name in {}) return [{ path: ['params', name], reason: `${name} cannot be the name of a parameter` }];
  const faults: Fault[] = [];
  if (type === 'boolean' && (min ?? max ?? choices) !== undefined) {
    faults.push({ path: ['params', name], reason: 'a boolean takes no enum, min or max' });
  }
  if (choices !== undefined && (min ?? max) !== undefined)
    faults.push(fault('enum', 'already limits the values; leave min and max out'));
  if (min !== undefined && max !== undefined && min > max) faults.push(fault('min', 'is larger than max'));
  if (type === 'string' && [min, max].some((bound) => bound !== undefined && !isLength(bound))) {
    faults.push({ path: ['params', name], reason: 'min and max of a string count characters: whole numbers from 0' });
  }
  const { enum: _choices, ...free } = parameter;
  const wrong = choices?.filter((choice) => !valueField(free).safeParse(choice).success) ?? [];
  for (const choice of wrong) faults.push(fault('enum', `${JSON.stringify(choice)} is not of type ${type}`));
  if (given !== undefined && faults.length === 0 && !valueField(parameter).safeParse(given).success) {
    faults.push(fault('default', `${JSON.stringify(given)} is not a value that the parameter takes`));
  }
  if (given !== undefined && parameter.required === true) {
    faults.push(fault('required', 'is true although there is a default; remove one of them'));
  }
  return faults;
}

function isLength(bound: number): boolean {
  return Number.isInteger(bound) && bound >= 0;
}

/** Some engines treat `:Id` and `:id` as the same. */
function twins(names: readonly string[]): Fault[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const key = name.toLowerCase();
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: ['params', name], reason: `${name} differs from another parameter in upper and lower case only` }];
  });
}

function sqlFaults({ sql }: ProjectToolFile, names: ReadonlySet<string>): Fault[] {
  const { placeholders, several, certain } = outlineSql(sql);
  const faults: Fault[] = [];
  const written = new Set(sql.match(/:\w+/g));
  for (const name of names) {
    const text = `:${name}`;
    if (!written.has(text)) faults.push({ path: ['params', name], reason: `the statement does not use ${text}` });
    else if (certain && !placeholders.has(name)) {
      const reason = `${text} stands in a string or a comment, where it is only text; join strings to it instead`;
      faults.push({ path: ['sql'], reason, text });
    }
  }
  if (!certain) return faults;
  for (const name of placeholders) {
    if (names.has(name)) continue;
    faults.push({ path: ['sql'], reason: `:${name} is not among the params`, text: `:${name}` });
  }
  // Statements inside a trigger or routine also end with semicolons.
  if (several && !/^\s*create\b/i.test(sql))
    faults.push({ path: ['sql'], reason: 'holds several statements', text: ';' });
  return faults;
}

function hintFaults({ params = {}, mcp }: ProjectToolFile): Fault[] {
  return Object.keys(mcp.llm?.parameter_hints ?? {})
    .filter((name) => !Object.hasOwn(params, name))
    .map((name) => ({ path: ['mcp', 'llm', 'parameter_hints', name], reason: `${name} is not among the params` }));
}

function descriptionFaults(file: ProjectToolFile): Fault[] {
  const bytes = new TextEncoder().encode(descriptionOf(file, '')).length;
  if (bytes <= MAX_DESCRIPTION_BYTES) return [];
  const reason = `with when_to_use it takes ${bytes} bytes, and clients cut it at ${MAX_DESCRIPTION_BYTES}`;
  return [{ path: ['mcp', 'description'], reason }];
}
