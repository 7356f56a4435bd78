import type { Tree } from '@devdb/shared/capped';
import type { TypeNode } from '@devdb/shared/tools/code/fields';
import * as vscode from 'vscode';
import { freshDocument } from './fresh-documents.ts';
import { headOf, parentsIn } from './heritage.ts';
import { noProvider } from './language-server.ts';
import type { CodePlace } from './places.ts';
import { isScript } from './script-requests.ts';
import type { ShownLines } from './shown-lines.ts';
import { spotsOf } from './spots.ts';
import { flattened, kindName, outlineOf } from './symbols.ts';
import { asked } from './waiting.ts';

export type TypeDirection = 'super' | 'sub';

const MAX_DEPTH = 8;
const MAX_NODES = 500;

/** A type, as far as the search for its relatives needs it. */
interface Type {
  readonly name: string;
  readonly kind: vscode.SymbolKind;
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
  readonly relatives: () => Promise<readonly Type[]>;
}

/** What a type derives from, or what derives from it: all levels. */
export async function typeTree(
  place: CodePlace,
  direction: TypeDirection,
  lines: ShownLines,
  signal: AbortSignal,
): Promise<readonly Tree<TypeNode>[]> {
  const roots = (await hierarchyRoots(place, direction, signal)) ?? (await scriptRoots(place, direction, signal));
  if (roots.length === 0) throw noProvider(place.document, 'types of this symbol');
  const budget = { left: MAX_NODES };
  return Promise.all(roots.map((type) => nodeOf(type, [], lines, budget)));
}

async function nodeOf(
  type: Type,
  way: readonly string[],
  lines: ShownLines,
  budget: { left: number },
): Promise<Tree<TypeNode>> {
  const key = `${type.uri.toString()}:${type.position.line}:${type.position.character}`;
  const { name, kind, uri, position } = type;
  const value = {
    name,
    kind: kindName(kind).toLowerCase(),
    at: lines.at(uri, position.line),
    text: await lines.line(uri, position),
  };
  const children: Tree<TypeNode>[] = [];
  const isEnd = way.includes(key) || way.length >= MAX_DEPTH;
  for (const relative of isEnd ? [] : await type.relatives()) {
    if (budget.left === 0) break;
    budget.left -= 1;
    children.push(await nodeOf(relative, [...way, key], lines, budget));
  }
  return { value, children };
}

/** By the language server's own hierarchy; undefined where it has none. */
async function hierarchyRoots(
  { document, range }: CodePlace,
  direction: TypeDirection,
  signal: AbortSignal,
): Promise<readonly Type[] | undefined> {
  const command = 'vscode.prepareTypeHierarchy';
  const items = await asked<readonly vscode.TypeHierarchyItem[]>(signal, command, document.uri, range.start);
  if (items === undefined || items.length === 0) return undefined;
  const next = direction === 'super' ? 'vscode.provideSupertypes' : 'vscode.provideSubtypes';
  const typeOf = (item: vscode.TypeHierarchyItem): Type => ({
    name: item.name,
    kind: item.kind,
    uri: item.uri,
    position: item.selectionRange.start,
    relatives: async () => ((await asked<readonly vscode.TypeHierarchyItem[]>(signal, next, item)) ?? []).map(typeOf),
  });
  return items.map(typeOf);
}

/** TypeScript's server has no hierarchy: it follows from what stands behind extends and implements. */
async function scriptRoots(
  { document, range }: CodePlace,
  direction: TypeDirection,
  signal: AbortSignal,
): Promise<readonly Type[]> {
  if (!isScript(document)) return [];
  const spots = await spotsOf('definition', document.uri, range.start, signal);
  const types = await Promise.all(spots.map(({ uri, range: { start } }) => scriptType(uri, start, direction, signal)));
  return types.flat();
}

async function scriptType(
  uri: vscode.Uri,
  position: vscode.Position,
  direction: TypeDirection,
  signal: AbortSignal,
): Promise<readonly Type[]> {
  const document = await freshDocument(uri.fsPath, signal);
  const found = await typeAround(document, position, signal);
  if (found === undefined || !found.selection.contains(position)) return [];
  const { name, kind, range, selection } = found;
  const relatives = async () => {
    const places = direction === 'super' ? parents(document, range) : await children(uri, selection.start, signal);
    const types = await Promise.all(
      places.map(async (place) => {
        if (direction === 'sub') return scriptType(place.uri, place.position, direction, signal);
        const [spot] = await spotsOf('definition', place.uri, place.position, signal);
        return spot === undefined ? [] : scriptType(spot.uri, spot.range.start, direction, signal);
      }),
    );
    return types.flat();
  };
  return [{ name, kind, uri, position: selection.start, relatives }];
}

interface Place {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
}

function parents(document: vscode.TextDocument, range: vscode.Range): readonly Place[] {
  const start = document.offsetAt(range.start);
  const head = headOf(document.getText(range));
  return parentsIn(head).map(({ index }) => ({ uri: document.uri, position: document.positionAt(start + index) }));
}

/** The types in whose heads this one is referred to. */
async function children(uri: vscode.Uri, position: vscode.Position, signal: AbortSignal): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const use of await spotsOf('reference', uri, position, signal)) {
    const document = await freshDocument(use.uri.fsPath, signal);
    const type = await typeAround(document, use.range.start, signal);
    if (type === undefined) continue;
    const offset = document.offsetAt(use.range.start) - document.offsetAt(type.range.start);
    const isParent = parentsIn(headOf(document.getText(type.range))).some(({ index }) => index === offset);
    if (isParent) places.push({ uri: use.uri, position: type.selection.start });
  }
  return places;
}

async function typeAround(document: vscode.TextDocument, position: vscode.Position, signal: AbortSignal) {
  const kinds = [vscode.SymbolKind.Class, vscode.SymbolKind.Interface];
  const symbols = flattened(await outlineOf(document, signal));
  return symbols.findLast(({ kind, range }) => kinds.includes(kind) && range.contains(position));
}
