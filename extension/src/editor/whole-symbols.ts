import * as vscode from 'vscode';
import type { Spot } from './spots.ts';
import { outlineOf, symbolAt } from './symbols.ts';
import { untilEnded } from './waiting.ts';

/** Spots with all of the symbol they name; a language server may tell no more than where the name is. */
export function wholeSymbols(spots: readonly Spot[], signal: AbortSignal): Promise<readonly Spot[]> {
  return Promise.all(
    spots.map(async (spot) => {
      if (!spot.whole.isEqual(spot.range)) return spot;
      const document = await untilEnded(vscode.workspace.openTextDocument(spot.uri), signal);
      const symbol = symbolAt(await outlineOf(document, signal), spot.range.start);
      const isIt = symbol?.selection.contains(spot.range.start) === true;
      return isIt ? { ...spot, whole: symbol.range } : spot;
    }),
  );
}
