import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { shownPath } from './paths.ts';
import { shortLine } from './short-line.ts';

const MAX_SYMBOL_LINES = 60;
/** Reading a small file takes less time than waiting for a thread that does, but many would hold the editor up. */
const FILES_READ_AT_ONCE = 20;
const MAX_BYTES_READ_AT_ONCE = 256 * 1024;

/** Lines of files as answers show them. Each file is read once in a call, and none is opened. */
export class ShownLines {
  readonly #root: string;
  readonly #files = new Map<string, Promise<readonly string[]>>();
  readonly #paths = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `src/a.ts:3` */
  at(uri: vscode.Uri, line: number): string {
    return `${this.path(uri)}:${line + 1}`;
  }

  path({ fsPath }: vscode.Uri): string {
    // Many lines are of one file, and resolving its links takes a look at each folder above it.
    const path = this.#paths.get(fsPath) ?? shownPath(this.#root, fsPath);
    this.#paths.set(fsPath, path);
    return path;
  }

  /** `3: const a = 1;` */
  async numbered(uri: vscode.Uri, position: vscode.Position): Promise<string> {
    return `${position.line + 1}: ${await this.line(uri, position)}`;
  }

  /** The line of a position; of a long one what stands around it. */
  async line(uri: vscode.Uri, { line, character }: vscode.Position): Promise<string> {
    return shortLine((await this.#lines(uri))[line] ?? '', character);
  }

  /** The text of a symbol with its indentation, so far as it is not too long. */
  async block(uri: vscode.Uri, { start, end }: vscode.Range): Promise<string> {
    const lines = (await this.#lines(uri)).slice(start.line, end.line + 1);
    const shown = lines
      .slice(0, MAX_SYMBOL_LINES)
      .map((text, index) => shortLine(text, index === 0 ? start.character : 0, text.trimEnd()));
    const left = lines.length - shown.length;
    return [...shown, ...(left > 0 ? [`... ${left} more lines`] : [])].join('\n');
  }

  #lines(uri: vscode.Uri): Promise<readonly string[]> {
    const key = uri.toString();
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const reading = linesOf(uri, this.#files.size < FILES_READ_AT_ONCE);
    this.#files.set(key, reading);
    return reading;
  }
}

/** Where the first of them begins in each line, in order. */
export function firstOfEachLine(ranges: readonly vscode.Range[]): readonly vscode.Position[] {
  const starts = ranges.map(({ start }) => start).sort((one, other) => one.compareTo(other));
  return starts.filter(({ line }, index) => line !== starts[index - 1]?.line);
}

async function linesOf(uri: vscode.Uri, atOnce: boolean): Promise<readonly string[]> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText().split(/\r\n?|\n/);
  try {
    const isSmall = atOnce && statSync(uri.fsPath).size <= MAX_BYTES_READ_AT_ONCE;
    const text = isSmall ? readFileSync(uri.fsPath, 'utf8') : await readFile(uri.fsPath, 'utf8');
    return text.split(/\r\n?|\n/);
  } catch {
    // Removed since a language server read it.
    return [];
  }
}
