import type { Tree } from '@devdb/shared/capped';
import type { CallNode } from '@devdb/shared/tools/code/fields';
import type * as vscode from 'vscode';
import { noProvider } from './language-server.ts';
import type { CodePlace } from './places.ts';
import { firstOfEachLine, type ShownLines } from './shown-lines.ts';
import { asked } from './waiting.ts';

export type Direction = 'incoming' | 'outgoing';

/** Beyond this a tree answers nothing any more. */
const MAX_NODES = 2_000;

interface Search {
  readonly direction: Direction;
  readonly lines: ShownLines;
  readonly signal: AbortSignal;
  left: number;
}

/** The callers of the symbol, or what it calls, to the requested depth. A function that calls itself is shown once on a way. */
export async function callTree(
  { document, range }: CodePlace,
  direction: Direction,
  depth: number,
  lines: ShownLines,
  signal: AbortSignal,
): Promise<readonly Tree<CallNode>[]> {
  const roots = await asked<readonly vscode.CallHierarchyItem[]>(
    signal,
    'vscode.prepareCallHierarchy',
    document.uri,
    range.start,
  );
  if (roots === undefined || roots.length === 0) throw noProvider(document, 'calls of this symbol');
  const search = { direction, lines, signal, left: MAX_NODES };
  return Promise.all(
    roots.map(async (item) => ({ value: nodeOf(item, lines), children: await below(item, depth, [], search) })),
  );
}

async function below(
  item: vscode.CallHierarchyItem,
  depth: number,
  way: readonly string[],
  search: Search,
): Promise<readonly Tree<CallNode>[]> {
  const key = keyOf(item);
  if (depth === 0 || way.includes(key)) return [];
  const nodes: Tree<CallNode>[] = [];
  for (const { other, from, ranges } of await calls(item, search)) {
    if (search.left === 0) break;
    search.left -= 1;
    const texts = await Promise.all(firstOfEachLine(ranges).map((first) => search.lines.numbered(from, first)));
    const children = await below(other, depth - 1, [...way, key], search);
    nodes.push({ value: { ...nodeOf(other, search.lines), calls: texts }, children });
  }
  return nodes;
}

interface Calls {
  readonly other: vscode.CallHierarchyItem;
  /** The file in which the calls stand. */
  readonly from: vscode.Uri;
  readonly ranges: readonly vscode.Range[];
}

async function calls(item: vscode.CallHierarchyItem, { direction, signal }: Search): Promise<readonly Calls[]> {
  if (direction === 'incoming') {
    const found = await asked<readonly vscode.CallHierarchyIncomingCall[]>(signal, 'vscode.provideIncomingCalls', item);
    return (found ?? []).map(({ from, fromRanges }) => ({ other: from, from: from.uri, ranges: fromRanges }));
  }
  const found = await asked<readonly vscode.CallHierarchyOutgoingCall[]>(signal, 'vscode.provideOutgoingCalls', item);
  return (found ?? []).map(({ to, fromRanges }) => ({ other: to, from: item.uri, ranges: fromRanges }));
}

function nodeOf({ name, uri, selectionRange }: vscode.CallHierarchyItem, lines: ShownLines): CallNode {
  return { name, at: lines.at(uri, selectionRange.start.line) };
}

function keyOf({ name, uri, selectionRange: { start } }: vscode.CallHierarchyItem): string {
  return `${uri.toString()}:${start.line}:${start.character}:${name}`;
}
