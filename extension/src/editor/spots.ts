import * as vscode from 'vscode';
import { watchedPath } from './folders.ts';
import { asked } from './waiting.ts';

/** Where something is: a name, and all that belongs to it. */
export interface Spot {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** With its body, where the language server tells. */
  readonly whole: vscode.Range;
}

type Found = readonly (vscode.Location | vscode.LocationLink)[];

const PROVIDERS = {
  definition: 'vscode.executeDefinitionProvider',
  declaration: 'vscode.executeDeclarationProvider',
  type: 'vscode.executeTypeDefinitionProvider',
  implementation: 'vscode.executeImplementationProvider',
  reference: 'vscode.executeReferenceProvider',
} as const;
export type SpotKind = keyof typeof PROVIDERS;

/** What the language servers know of a place in a file, each spot once. */
export async function spotsOf(
  kind: SpotKind,
  at: vscode.Uri,
  position: vscode.Position,
  signal: AbortSignal,
): Promise<readonly Spot[]> {
  const found = (await asked<Found>(signal, PROVIDERS[kind], at, position)) ?? [];
  const spots = found.map(spotOf).filter(({ uri }) => uri.scheme === 'file');
  const paths = new Map([...new Set(spots.map(({ uri }) => uri.fsPath))].map((path) => [path, watchedPath(path)]));
  const left = spots.flatMap((spot) => {
    const { fsPath } = spot.uri;
    const path = paths.get(fsPath);
    // A server may still know files that are gone by now, and one file by several names.
    if (path === undefined) return [];
    return [path === fsPath ? spot : { ...spot, uri: vscode.Uri.file(path) }];
  });
  return [...new Map(left.map((spot) => [keyOf(spot), spot])).values()];
}

function spotOf(location: vscode.Location | vscode.LocationLink): Spot {
  if (!('targetUri' in location)) return { uri: location.uri, range: location.range, whole: location.range };
  const { targetUri: uri, targetRange: whole, targetSelectionRange: range = whole } = location;
  return { uri, range, whole };
}

export function keyOf({ uri, range }: Pick<Spot, 'uri' | 'range'>): string {
  return `${uri.toString()}:${range.start.line}:${range.start.character}`;
}
