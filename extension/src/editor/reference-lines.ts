import { firstOfEachLine, ShownLines } from './shown-lines.ts';
import type { Spot } from './spots.ts';

export interface FileUses {
  readonly path: string;
  /** Uses; a line may have several. */
  readonly count: number;
  readonly lines: readonly string[];
}

/** Where something is used, file by file. */
export async function linesByFile(root: string, spots: readonly Spot[]): Promise<FileUses[]> {
  const lines = new ShownLines(root);
  const byPath = new Map<string, Spot[]>();
  for (const spot of spots) {
    const path = lines.path(spot.uri);
    byPath.set(path, [...(byPath.get(path) ?? []), spot]);
  }
  const files = [...byPath].map(async ([path, uses]) => {
    const firsts = firstOfEachLine(uses.map(({ range }) => range));
    const [{ uri } = { uri: undefined }] = uses;
    const shown = uri === undefined ? [] : await Promise.all(firsts.map((first) => lines.numbered(uri, first)));
    return { path, count: uses.length, lines: shown };
  });
  return Promise.all(files);
}
