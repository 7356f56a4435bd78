import { realpathSync } from 'node:fs';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { type ProjectPath, projectPath } from './paths.ts';

export interface LineBreakpoint {
  /** Absolute. */
  readonly path: string;
  /** The first is 1. */
  readonly line: number;
  readonly enabled?: false;
}

/** The breakpoints that the user sees, once the editor has reported them. */
async function knownBreakpoints(): Promise<readonly vscode.SourceBreakpoint[]> {
  // The first look asks the editor for them. Its answer to a later question comes behind them.
  void vscode.debug.breakpoints;
  await vscode.commands.getCommands(true);
  return vscode.debug.breakpoints.filter((one) => one instanceof vscode.SourceBreakpoint);
}

/** Line breakpoints in files of the project, by file and line. */
export async function projectBreakpoints(root: string): Promise<LineBreakpoint[]> {
  const all = (await knownBreakpoints()).flatMap(({ location: { uri, range }, enabled }) => {
    const path = uri.scheme === 'file' ? realPathOf(uri.fsPath) : undefined;
    if (path === undefined || !isInProject(root, path)) return [];
    return [{ path, line: range.start.line + 1, ...(enabled ? {} : { enabled }) }];
  });
  return all.sort((one, other) => (one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1));
}

/** Refuses a file that is not there and a line that it does not have. */
export async function checkLine(place: ProjectPath, line: number): Promise<void> {
  const uri = vscode.Uri.file(inEditor(place.absolute).path);
  const { type } = await statusOf(uri, place);
  if ((type & vscode.FileType.File) === 0) throw notFound(place);
  const { lineCount } = await vscode.workspace.openTextDocument(uri);
  if (line <= lineCount) return;
  throw new AppError('E_INVALID_LINE', `${place.relative} has ${lineCount} lines, so no line ${line}.`, {
    hint: 'Lines count from 1.',
  });
}

/** Removes the breakpoints of the line, or adds one where there is none. */
export async function toggleBreakpoint(place: ProjectPath, line: number): Promise<'added' | 'removed'> {
  const known = await knownBreakpoints();
  const there = known.filter(
    ({ location: { uri, range } }) =>
      uri.scheme === 'file' && range.start.line === line - 1 && realPathOf(uri.fsPath) === realPathOf(place.absolute),
  );
  if (there.length > 0) {
    vscode.debug.removeBreakpoints(there);
    return 'removed';
  }
  const uri = vscode.Uri.file(inEditor(place.absolute).path);
  vscode.debug.addBreakpoints([
    new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line - 1, 0))),
  ]);
  return 'added';
}

function isInProject(root: string, file: string): boolean {
  try {
    projectPath(root, file);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Deleted meanwhile; its breakpoint stays.
    return path;
  }
}

async function statusOf(uri: vscode.Uri, place: ProjectPath): Promise<vscode.FileStat> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) throw notFound(place);
    throw error;
  }
}

function notFound({ relative }: ProjectPath): AppError {
  return new AppError('E_FILE_NOT_FOUND', "file doesn't exist or can't be opened", {
    hint: `No file ${relative} is in the project; paths count from its root.`,
  });
}
