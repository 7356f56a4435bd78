import type { Tree } from '@devdb/shared/capped';
import type { SymbolNode } from '@devdb/shared/tools/code/fields';
import type * as vscode from 'vscode';
import { freshText } from './fresh-documents.ts';
import { outlineWhenReady } from './language-server.ts';
import { catchUp, scriptsByAge } from './outside-edits.ts';
import { shownPath } from './paths.ts';
import { plainName } from './symbol-names.ts';
import { kindName, type OutlineSymbol } from './symbols.ts';
import { asked, type Waiting } from './waiting.ts';

/** The outline of a file, with only those symbols whose kind and name are asked for; what holds one of them stays. */
export function outlineTree(
  symbols: readonly OutlineSymbol[],
  query: string | undefined,
  kinds: readonly string[] | undefined,
): readonly Tree<SymbolNode>[] {
  return symbols.flatMap((symbol) => {
    const children = outlineTree(symbol.children, query, kinds);
    const isWanted = isOfKind(symbol.kind, kinds) && isLike(symbol.name, query);
    return isWanted || children.length > 0 ? [{ value: nodeOf(symbol), children }] : [];
  });
}

function nodeOf({ name, kind, detail, range: { start, end } }: OutlineSymbol): SymbolNode {
  const lines = start.line === end.line ? `${start.line + 1}` : `${start.line + 1}-${end.line + 1}`;
  return { name, kind: kindName(kind).toLowerCase(), lines, ...(detail === '' ? {} : { detail }) };
}

/** The project's symbols whose names are like this, the likest first. */
export async function workspaceSymbols(
  root: string,
  query: string,
  kinds: readonly string[] | undefined,
  waiting: Waiting,
): Promise<readonly Tree<SymbolNode>[]> {
  const { signal } = waiting;
  // A language server searches the projects that it has loaded, and it loads one for a file.
  const [newest] = await scriptsByAge(root, root, signal);
  const document = newest && (await freshText(newest.path, signal));
  if (document !== undefined) await outlineWhenReady(document, waiting);
  await catchUp(root, signal);
  const command = 'vscode.executeWorkspaceSymbolProvider';
  const found = (await asked<readonly vscode.SymbolInformation[]>(signal, command, query)) ?? [];
  const own = found.filter(({ location: { uri } }) => isOwn(root, uri));
  const wanted = own.filter(({ name, kind }) => isOfKind(kind, kinds) && isLike(name, query));
  const seen = new Map<string, SymbolNode>();
  for (const { name, kind, containerName, location } of wanted.sort(byLikeness(query))) {
    const at = `${shownPath(root, location.uri.fsPath)}:${location.range.start.line + 1}`;
    const detail = containerName === '' ? {} : { detail: containerName };
    seen.set(`${name} ${at}`, { name: plainName(name), kind: kindName(kind).toLowerCase(), at, ...detail });
  }
  return [...seen.values()].map((value) => ({ value, children: [] }));
}

function isOwn(root: string, { scheme, fsPath }: vscode.Uri): boolean {
  return scheme === 'file' && shownPath(root, fsPath) !== fsPath && !/[\\/]node_modules[\\/]/.test(fsPath);
}

function isOfKind(kind: vscode.SymbolKind, kinds: readonly string[] | undefined): boolean {
  return kinds === undefined || kinds.some((wanted) => wanted.toLowerCase() === kindName(kind).toLowerCase());
}

function isLike(name: string, query: string | undefined): boolean {
  return query === undefined || name.toLowerCase().includes(query.toLowerCase());
}

function byLikeness(query: string) {
  const rank = (name: string) =>
    plainName(name) === query ? 0 : plainName(name).toLowerCase() === query.toLowerCase() ? 1 : 2;
  return (one: vscode.SymbolInformation, other: vscode.SymbolInformation) =>
    rank(one.name) - rank(other.name) ||
    one.name.length - other.name.length ||
    (one.name < other.name ? -1 : one.name > other.name ? 1 : 0) ||
    (one.location.uri.path < other.location.uri.path ? -1 : 1);
}
