import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { existingFile, freshDocument } from './fresh-documents.ts';
import { outlineWhenReady } from './language-server.ts';
import { catchUp } from './outside-edits.ts';
import type { ProjectPath } from './paths.ts';
import { keyOf, type Spot, spotsOf } from './spots.ts';
import { isNamed, lastPart, nearNames, plainName, wordsIn } from './symbol-names.ts';
import { type FlatSymbol, flattened, type OutlineSymbol } from './symbols.ts';
import type { Waiting } from './waiting.ts';

/** How a caller names a place; lines and columns count from 1. */
export interface GivenPlace {
  readonly path: string;
  readonly symbol?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A file of the project whose language server is ready. */
export interface OpenFile {
  readonly file: ProjectPath;
  readonly document: vscode.TextDocument;
  readonly outline: readonly OutlineSymbol[];
}

/** A name in the code of such a file. */
export interface CodePlace extends OpenFile {
  readonly name: string;
  readonly range: vscode.Range;
}

/** More uses of one name in one file are not looked at: the first ones tell what it is. */
const MAX_USES = 200;
const SHOWN_CANDIDATES = 10;

export async function openFile(root: string, path: string, waiting: Waiting): Promise<OpenFile> {
  const file = await existingFile(root, path);
  const document = await freshDocument(file.absolute, waiting.signal);
  // Before the outline is asked for: its lines must be the document's own.
  await catchUp(root, waiting.signal);
  let { version } = document;
  let outline = await outlineWhenReady(document, waiting);
  // The editor may have read the file again meanwhile: an outline of the earlier text has lines that are not there.
  while (document.version !== version) {
    ({ version } = document);
    outline = await outlineWhenReady(document, waiting);
  }
  return { file, document, outline };
}

/** The one symbol that is meant. E_SYMBOL_NOT_FOUND with near names, E_AMBIGUOUS_SYMBOL with all that it may be. */
export async function resolvePlace(root: string, given: GivenPlace, waiting: Waiting): Promise<CodePlace> {
  const open = await openFile(root, given.path, waiting);
  const { symbol, line, column } = given;
  if (line !== undefined && line > open.document.lineCount) throw beyondEnd(open);
  if (line !== undefined && column !== undefined) return atColumn(open, line, column, symbol);
  return byName(open, symbol ?? '', line, waiting.signal);
}

function atColumn(open: OpenFile, line: number, column: number, symbol: string | undefined): CodePlace {
  const { document } = open;
  const position = document.validatePosition(new vscode.Position(line - 1, column - 1));
  const word = document.getWordRangeAtPosition(position);
  const name = word && document.getText(word);
  const wanted = symbol === undefined ? undefined : lastPart(symbol);
  if (word === undefined || name === undefined) throw noName(open, position);
  if (wanted === undefined || name === wanted || name.endsWith(wanted)) return { ...open, name, range: word };
  throw noName(open, position, wanted);
}

/** A name that is declared in the file is that one; else it is what all of its uses mean. */
async function byName(
  open: OpenFile,
  symbol: string,
  line: number | undefined,
  signal: AbortSignal,
): Promise<CodePlace> {
  const name = lastPart(symbol);
  const onLine = (range: vscode.Range) => line === undefined || range.start.line === line - 1;
  const declared = declarations(open, symbol);
  const uses = name === symbol ? usesOf(open.document, name).filter(onLine) : [];
  const found = await meanings(
    open,
    declared.filter(({ range }) => onLine(range)),
    uses,
    signal,
  );
  const here = found.filter(({ isDeclared }) => isDeclared);
  const [only, ...others] = here.length > 0 ? here : found;
  if (only === undefined) throw notFound(open, symbol, line);
  if (others.length > 0) throw ambiguous(open, symbol, [only, ...others]);
  return { ...open, name, range: only.range };
}

interface Declared {
  readonly range: vscode.Range;
  /** The same for all that are one symbol: overloads, a getter and its setter. */
  readonly group: string;
}

function declarations({ document, outline }: OpenFile, symbol: string): readonly Declared[] {
  return flattened(outline).flatMap((found) => {
    if (!isNamed([...found.parents.map((parent) => parent.name), found.name], symbol)) return [];
    const range = nameIn(document, found, lastPart(symbol));
    const [parent] = found.parents.slice(-1);
    const place = parent === undefined ? '' : `${parent.selection.start.line}:${parent.selection.start.character}`;
    return range === undefined ? [] : [{ range, group: `${place} ${plainName(found.name)}` }];
  });
}

function nameIn(document: vscode.TextDocument, { selection }: FlatSymbol, name: string): vscode.Range | undefined {
  const { text } = document.lineAt(selection.start.line);
  const end = selection.isSingleLine ? selection.end.character : text.length;
  const column = wordsIn(text, name).find((at) => at >= selection.start.character && at + name.length <= end);
  return column === undefined ? undefined : rangeOf(selection.start.line, column, name);
}

function usesOf(document: vscode.TextDocument, name: string): readonly vscode.Range[] {
  const uses: vscode.Range[] = [];
  for (let line = 0; line < document.lineCount && uses.length < MAX_USES; line += 1) {
    for (const column of wordsIn(document.lineAt(line).text, name)) uses.push(rangeOf(line, column, name));
  }
  return uses.slice(0, MAX_USES);
}

interface Meaning {
  readonly range: vscode.Range;
  readonly isDeclared: boolean;
}

/** What the name stands for in this file, each once. Words of comments and texts stand for nothing. */
async function meanings(
  open: OpenFile,
  declared: readonly Declared[],
  uses: readonly vscode.Range[],
  signal: AbortSignal,
): Promise<readonly Meaning[]> {
  const { uri } = open.document;
  const groups = new Map(declared.map(({ range, group }) => [keyOf({ uri, range }), group]));
  const meanings = new Map<string, Meaning>();
  for (const { range, group } of declared) if (!meanings.has(group)) meanings.set(group, { range, isDeclared: true });
  for (const range of uses) {
    if (groups.has(keyOf({ uri, range }))) continue;
    const targets = (await spotsOf('definition', uri, range.start, signal)).filter((spot) =>
      isNameOf(open, spot, range),
    );
    const isDeclared = targets.some((spot) => keyOf(spot) === keyOf({ uri, range }));
    const wanted = isDeclared ? targets.filter((spot) => keyOf(spot) === keyOf({ uri, range })) : targets;
    const [meaning] = wanted.map((spot) => groups.get(keyOf(spot)) ?? keyOf(spot));
    if (meaning === undefined) continue;
    const known = meanings.get(meaning);
    if (known === undefined || (isDeclared && !known.isDeclared)) meanings.set(meaning, { range, isDeclared });
  }
  return [...meanings.values()];
}

/** What a text leads to is a file; what a name leads to bears it. Of another file this much is believed. */
function isNameOf({ document }: OpenFile, { uri, range, whole }: Spot, use: vscode.Range): boolean {
  const name = document.getText(use);
  if (uri.toString() !== document.uri.toString()) return !whole.isEmpty && range.isSingleLine;
  return document.getText(range).includes(name);
}

function rangeOf(line: number, column: number, name: string): vscode.Range {
  return new vscode.Range(line, column, line, column + name.length);
}

function ambiguous({ file, document }: OpenFile, symbol: string, found: readonly Meaning[]): AppError {
  const candidates = found.map(({ range: { start } }) => ({
    at: `${file.relative}:${start.line + 1}`,
    text: document.lineAt(start.line).text.trim().slice(0, 200),
  }));
  const shown = candidates.slice(0, SHOWN_CANDIDATES).map(({ at, text }) => `${at} ${text}`);
  return new AppError('E_AMBIGUOUS_SYMBOL', `${symbol} may be one of ${found.length}: ${shown.join(' | ')}`, {
    hint: 'Call again with the line of the one that is meant, or with Class.method.',
    details: { candidates: candidates.slice(0, SHOWN_CANDIDATES) },
  });
}

function notFound({ file, document, outline }: OpenFile, symbol: string, line: number | undefined): AppError {
  const words = [
    ...document
      .getText()
      .slice(0, 200_000)
      .matchAll(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu),
  ].map(([word]) => word);
  const own = flattened(outline).map(({ name }) => plainName(name));
  const near = nearNames(
    lastPart(symbol),
    [...own, ...words].filter((name) => name !== lastPart(symbol)),
  );
  const where = line === undefined ? file.relative : `line ${line} of ${file.relative}`;
  return new AppError('E_SYMBOL_NOT_FOUND', `No ${symbol} in the code of ${where}.`, {
    hint: near.length > 0 ? `There is ${near.join(', ')}.` : 'List the names of the file with code_symbols.',
    details: { near },
  });
}

function noName({ file, document }: OpenFile, { line, character }: vscode.Position, wanted = 'name'): AppError {
  const text = document.lineAt(line).text.trim().slice(0, 200);
  return new AppError(
    'E_SYMBOL_NOT_FOUND',
    `No ${wanted} at line ${line + 1}, column ${character + 1} of ${file.relative}: ${text}`,
    { hint: 'Name the symbol instead of the column; the line may stay.' },
  );
}

/** The callers count lines from 0 or from 1. */
function beyondEnd({ file, document }: OpenFile): AppError {
  return new AppError('E_SYMBOL_NOT_FOUND', `${file.relative} has no such line: it has ${document.lineCount}.`, {
    hint: 'The file may have changed: look at it as it is now, or give the name of the symbol alone.',
  });
}

/** The line, counted from 1, whose text is this; it need not be whole, but it must have the name. */
export function lineOfContent({ file, document }: OpenFile, content: string, symbol: string): number {
  const wanted = content.trim();
  const lines = document.getText().split(/\r\n?|\n/);
  const numbers = (fits: (text: string) => boolean) =>
    lines.flatMap((text, index) => (fits(text) && wordsIn(text, lastPart(symbol)).length > 0 ? [index + 1] : []));
  const exact = numbers((text) => text.trim() === wanted);
  const found = exact.length > 0 ? exact : numbers((text) => text.includes(wanted));
  const [only, ...others] = found;
  if (only === undefined) {
    throw new AppError('E_SYMBOL_NOT_FOUND', `No line of ${file.relative} has this text and ${symbol} in it.`, {
      hint: 'Copy the line as it is now, or pass its number as line.',
    });
  }
  if (others.length === 0) return only;
  const candidates = found.slice(0, SHOWN_CANDIDATES).map((line) => `${file.relative}:${line}`);
  throw new AppError('E_AMBIGUOUS_SYMBOL', `Lines with this text are ${candidates.join(', ')}.`, {
    hint: 'Pass the line number of the one that is meant.',
    details: { candidates: candidates.map((at) => ({ at, text: wanted.slice(0, 200) })) },
  });
}
