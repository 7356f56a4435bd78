import * as vscode from 'vscode';
import { asked } from './waiting.ts';

/** A symbol of a file, in the one form that both kinds of providers are brought to. */
export interface OutlineSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: vscode.SymbolKind;
  readonly range: vscode.Range;
  /** Its name, for those who give it. */
  readonly selection: vscode.Range;
  readonly children: readonly OutlineSymbol[];
}

/** The symbols of a file as a tree, as its language server gives them now; none without a language server. */
export async function outlineOf(document: vscode.TextDocument, signal: AbortSignal): Promise<readonly OutlineSymbol[]> {
  const found = await asked<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    signal,
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  return (found ?? []).map(outlineSymbol);
}

function outlineSymbol(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): OutlineSymbol {
  const { name, kind } = symbol;
  if ('selectionRange' in symbol) {
    const { detail, range, selectionRange, children } = symbol;
    return { name, kind, detail, range, selection: selectionRange, children: children.map(outlineSymbol) };
  }
  const { range } = symbol.location;
  return { name, kind, detail: '', range, selection: range, children: [] };
}

export interface FlatSymbol extends OutlineSymbol {
  /** The symbols it stands in, outermost first. */
  readonly parents: readonly OutlineSymbol[];
}

/** Every symbol of the tree, in the order of the file. */
export function flattened(
  symbols: readonly OutlineSymbol[],
  parents: readonly OutlineSymbol[] = [],
): readonly FlatSymbol[] {
  return symbols.flatMap((symbol) => [{ ...symbol, parents }, ...flattened(symbol.children, [...parents, symbol])]);
}

/** The innermost symbol that stands around a position. */
export function symbolAt(symbols: readonly OutlineSymbol[], position: vscode.Position): FlatSymbol | undefined {
  return flattened(symbols).findLast(({ range }) => range.contains(position));
}

/** `Function`, as the interface of the editor calls it. */
export function kindName(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind] ?? 'Symbol';
}
