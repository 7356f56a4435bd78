import type { Tree } from '@devdb/shared/capped';
import { askAdapter } from './ask-adapter.ts';
import { type DapScope, type DapVariable, variablesBody } from './dap.ts';
import type { Debugger } from './debugger.ts';
import {
  MAX_LISTED_CHILDREN,
  MAX_LISTED_VARIABLES,
  MAX_NESTED_CHILDREN,
  MAX_VARIABLE_CHARS,
  STOP_VALUE_CHARS,
} from './limits.ts';
import type { Member } from './session-group.ts';

/** A variable as answers have it. */
export interface VariableFacts {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /** Children can be asked for with it. */
  readonly variablesReference?: number;
  readonly indexedVariables?: number;
  /** It has children that are not listed here. */
  readonly more?: true;
}

/** Which children of a container. */
export interface Page {
  readonly filter: 'all' | 'indexed' | 'named';
  readonly start: number;
  readonly count: number;
}

/** What can be opened: a scope, a variable, a result. */
export interface Container {
  readonly variablesReference: number;
  readonly namedVariables?: number | undefined;
  readonly indexedVariables?: number | undefined;
}

/** A value of a length that an answer can carry, which says how long it was. */
export function shortValue(value: string, chars = MAX_VARIABLE_CHARS): string {
  if (value.length <= chars) return value;
  const start = value.slice(0, chars).replace(/[\ud800-\udbff]$/, '');
  return `${start}… (${value.length} characters)`;
}

/** Reading it runs code of the program, so that it is not opened along with others. */
function isLazy({ presentationHint }: DapVariable): boolean {
  return presentationHint?.lazy === true;
}

/** What the language adds by itself, such as a prototype, and functions, of which the value says enough. */
function isInternal({ name, type, presentationHint }: DapVariable): boolean {
  if (type !== undefined && /^function$/i.test(type)) return true;
  return (
    presentationHint?.visibility === 'internal' || /^(\[\[.*\]\]|special variables|function variables)$/.test(name)
  );
}

export function variableFacts(
  debug: Debugger,
  { record }: Member,
  variable: DapVariable,
  chars?: number,
): VariableFacts {
  const { name, value, type, variablesReference: id, indexedVariables } = variable;
  const opens = id > 0 && !isLazy(variable);
  return {
    name,
    value: shortValue(value, chars),
    // Most values tell their type.
    ...(type === undefined || type === '' || value.startsWith(type) ? {} : { type: shortValue(type, 80) }),
    ...(opens
      ? { variablesReference: debug.handles.give({ owner: record, kind: 'variables', id, indexed: indexedVariables }) }
      : {}),
    ...(opens && indexedVariables !== undefined && indexedVariables > 0 ? { indexedVariables } : {}),
  };
}

export interface VariablesPage {
  readonly variables: readonly DapVariable[];
  readonly hasMore: boolean;
}

/** One page of what a container holds: its elements, which an adapter sends page by page, and then what has a name. */
export async function pageOf(member: Member, container: Container, page: Page): Promise<VariablesPage> {
  const { filter, start, count } = page;
  const elements = container.indexedVariables ?? 0;
  if (elements === 0 || filter === 'named') {
    const all = await asked(member, container, filter === 'named' && elements > 0 ? { filter: 'named' } : {});
    return { variables: all.slice(start, start + count), hasMore: all.length > start + count };
  }
  const inRow = Math.max(0, Math.min(count, elements - start));
  const found = inRow === 0 ? [] : await elementsOf(member, container, start, inRow);
  if (filter === 'indexed' || inRow === count)
    return { variables: found, hasMore: start + count < elements || filter === 'all' };
  const named = await asked(member, container, { filter: 'named' });
  const from = Math.max(0, start - elements);
  const rest = named.slice(from, from + count - inRow);
  return { variables: [...found, ...rest], hasMore: from + rest.length < named.length };
}

async function elementsOf(member: Member, container: Container, start: number, count: number): Promise<DapVariable[]> {
  const found = await asked(member, container, { filter: 'indexed', start, count });
  // An adapter that does not page sends all of them; one that does may add what every array has.
  const isWhole = found.length > count && found.length >= (container.indexedVariables ?? 0);
  return isWhole ? found.slice(start, start + count) : found.slice(0, count);
}

async function asked(member: Member, { variablesReference }: Container, more: object): Promise<DapVariable[]> {
  const args = { variablesReference, ...more };
  const { variables } = await askAdapter(member, 'variables', args, variablesBody, 'E_INVALID_REFERENCE');
  return variables;
}

/** The first children of a container, as a list with others shows them. */
export async function firstChildren(member: Member, container: Container, count: number): Promise<VariablesPage> {
  return pageOf(member, container, { filter: 'all', start: 0, count });
}

interface Open {
  /** Where its children go. */
  readonly node: { value: VariableFacts; readonly children: Tree<VariableFacts>[] };
  readonly container: Container;
  readonly depth: number;
}

/** The scopes with what they hold, level by level until the depth or the number of variables is reached. */
export async function variableTree(
  debug: Debugger,
  member: Member,
  scopes: readonly DapScope[],
  maxDepth: number,
): Promise<readonly Tree<VariableFacts>[]> {
  const open: Open[] = scopes.map((scope) => {
    const { name, variablesReference: id, indexedVariables: indexed } = scope;
    const variablesReference = debug.handles.give({ owner: member.record, kind: 'variables', id, indexed });
    return { node: { value: { name, value: '', variablesReference }, children: [] }, container: scope, depth: 0 };
  });
  const roots = open.map(({ node }) => node);
  let left = MAX_LISTED_VARIABLES;
  // It grows while it is walked.
  for (const { node, container, depth } of open) {
    const count = Math.min(left, depth === 0 ? MAX_LISTED_CHILDREN : MAX_NESTED_CHILDREN);
    const { variables, hasMore } =
      count === 0 ? { variables: [], hasMore: true } : await firstChildren(member, container, count);
    left -= variables.length;
    if (hasMore) node.value = { ...node.value, more: true };
    for (const variable of variables) {
      const child: Open['node'] = {
        value: variableFacts(debug, member, variable, depth === 0 ? undefined : STOP_VALUE_CHARS),
        children: [],
      };
      node.children.push(child);
      if (child.value.variablesReference === undefined) continue;
      if (depth + 1 < maxDepth && !isInternal(variable))
        open.push({ node: child, container: variable, depth: depth + 1 });
      else child.value = { ...child.value, more: true };
    }
  }
  return roots;
}
