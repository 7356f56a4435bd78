import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from '../editor/folders.ts';
import { existingPath, type ProjectPath, projectPath, shownPath } from '../editor/paths.ts';
import type { Binding } from './bound-breakpoints.ts';
import { passedOver } from './breakpoint-code.ts';
import type { Debugger } from './debugger.ts';
import { BREAKPOINT_BIND_MS } from './limits.ts';
import type { SessionRecord } from './session-record.ts';
import { type WaitOptions, waitFor } from './waits.ts';

/** A breakpoint as answers have it. */
export interface BreakpointFacts {
  readonly path: string;
  readonly line: number;
  /** Where it was set, when the adapter moved it to a line with code. */
  readonly requestedLine?: number;
  readonly condition?: string;
  readonly hitCondition?: string;
  readonly logMessage?: string;
  readonly enabled: boolean;
  readonly verified: boolean;
  readonly message?: string;
}

export interface BreakpointInput {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

type BindWait = Omit<WaitOptions, 'timeoutMs' | 'message'>;

/** A file of the project by the names that we and the editor have for it. */
export interface SourceFile {
  readonly relative: string;
  readonly uri: vscode.Uri;
}

/** The file that a path names, which has to be there. */
export function sourceFile(root: string, path: string): SourceFile {
  const { absolute, relative } = projectPath(root, path);
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined)
    throw new AppError('E_FILE_NOT_FOUND', `${relative} does not exist.`, {
      hint: 'Paths are relative to the project root.',
    });
  if (!found.isFile())
    throw new AppError('E_INVALID_PATH', `${relative} is no file.`, { hint: 'Name a source file of the project.' });
  return named(existingPath(root, path));
}

function named({ absolute, relative }: ProjectPath): SourceFile {
  return { relative, uri: vscode.Uri.file(inEditor(absolute).path) };
}

/** Refuses a line that the file does not have, with the text that the editor has of it. */
export async function checkLine({ uri, relative }: SourceFile, line: number): Promise<void> {
  const { lineCount } = await vscode.workspace.openTextDocument(uri);
  if (line <= lineCount) return;
  throw new AppError('E_INVALID_LINE', `${relative} has ${lineCount} lines; there is no line ${line}.`, {
    hint: 'Lines count from 1. Look at the file as it is now.',
    details: { lineCount },
  });
}

/** The file that a path names, which may be gone: its breakpoints stay. */
export function namedFile(root: string, path: string): SourceFile {
  const place = projectPath(root, path);
  return named(existsSync(place.absolute) ? existingPath(root, path) : place);
}

/** The breakpoints that the editor has, of one source file or of all, whoever set them. */
export function sourceBreakpoints(file?: SourceFile): vscode.SourceBreakpoint[] {
  const all = vscode.debug.breakpoints.filter((one) => one instanceof vscode.SourceBreakpoint);
  return file === undefined ? all : all.filter(({ location }) => location.uri.fsPath === file.uri.fsPath);
}

/** The functions that have breakpoints, by name. */
export function functionBreakpoints(): string[] {
  return vscode.debug.breakpoints.flatMap((one) =>
    one instanceof vscode.FunctionBreakpoint ? [one.functionName] : [],
  );
}

export function isInProject(root: string, { location }: vscode.SourceBreakpoint): boolean {
  return location.uri.scheme === 'file' && !isAbsolute(shownPath(root, location.uri.fsPath));
}

export async function removeBreakpoints(some: readonly vscode.SourceBreakpoint[]): Promise<void> {
  vscode.debug.removeBreakpoints(some);
  await echoed();
}

/**
 * Resolves when the editor's window has reported every change so far. What it tells of a breakpoint that was removed
 * meanwhile would bring it back for a moment. Its answer to a later question comes behind what it tells.
 */
async function echoed(): Promise<void> {
  await vscode.commands.getCommands(true);
}

/** The breakpoint at a line, also where the adapter has moved it from there. */
export function breakpointAt(debug: Debugger, file: SourceFile, line: number): vscode.SourceBreakpoint | undefined {
  const path = file.uri.fsPath;
  const moved = [
    ...bindingsAt(debug, path, line).map((binding) => binding.line),
    ...bindingsAtActual(debug, path, line).map(({ asked }) => asked),
  ];
  const inFile = sourceBreakpoints(file);
  return inFile.find((one) => lineOf(one) === line) ?? inFile.find((one) => moved.includes(lineOf(one)));
}

export interface SetBreakpoint {
  readonly breakpoint: vscode.SourceBreakpoint;
  /** The debuggers hear of it. */
  readonly isNew: boolean;
}

/** Sets it, in the place of one that is there. */
export async function setBreakpoint(
  debug: Debugger,
  file: SourceFile,
  line: number,
  input: BreakpointInput,
): Promise<SetBreakpoint> {
  const known = breakpointAt(debug, file, line);
  if (known?.enabled && isSame(known, input)) return { breakpoint: known, isNew: false };
  if (known !== undefined) vscode.debug.removeBreakpoints([known]);
  const at = new vscode.Location(file.uri, new vscode.Position(line - 1, 0));
  const fresh = new vscode.SourceBreakpoint(at, true, input.condition, input.hitCondition, input.logMessage);
  // A user's breakpoint that is only changed here stays the user's.
  if (known === undefined || debug.ownBreakpoints.has(known)) debug.ownBreakpoints.add(fresh);
  vscode.debug.addBreakpoints([fresh]);
  await echoed();
  return { breakpoint: fresh, isNew: true };
}

/** Resolves when a running debugger has bound the breakpoint, or when none has for some time. */
export async function whenBound(debug: Debugger, { uri }: SourceFile, line: number, options: BindWait): Promise<void> {
  if (debug.live.length === 0) return;
  const message = 'Waiting for the debugger to bind the breakpoint.';
  const look = () => (bindingsAt(debug, uri.fsPath, line).some(({ verified }) => verified) ? true : undefined);
  await waitFor(debug, look, { ...options, timeoutMs: BREAKPOINT_BIND_MS, message });
}

/** What is known of it: what a person sees in the editor, and where the adapters really put it. */
export function breakpointFacts(
  debug: Debugger,
  root: string,
  one: vscode.SourceBreakpoint,
  asked = lineOf(one),
): BreakpointFacts {
  const { condition, hitCondition, logMessage, enabled, location } = one;
  const path = location.uri.fsPath;
  const bindings = [...bindingsAt(debug, path, asked), ...bindingsAtActual(debug, path, lineOf(one))];
  const binding = bindings.find(({ verified }) => verified) ?? bindings[0];
  const verified = binding?.verified ?? false;
  const message = verified ? passedOverAt(debug, path, asked, one) : (binding?.message ?? unboundReason(debug));
  const line = (verified ? binding?.line : undefined) ?? lineOf(one);
  const requested = binding?.asked ?? asked;
  return {
    path: shownPath(root, path),
    line,
    ...(requested === line ? {} : { requestedLine: requested }),
    ...(condition === undefined ? {} : { condition }),
    ...(hitCondition === undefined ? {} : { hitCondition }),
    ...(logMessage === undefined ? {} : { logMessage }),
    enabled,
    verified,
    ...(message === undefined ? {} : { message }),
  };
}

/** What a running debugger that has it cannot do. */
function passedOverAt(debug: Debugger, path: string, line: number, one: BreakpointInput): string | undefined {
  const having = liveRecords(debug).filter(({ breakpoints }) => breakpoints.find(path, line) !== undefined);
  return having.map(({ facts, capabilities }) => passedOver(facts.type, capabilities, one)).find(Boolean);
}

function unboundReason(debug: Debugger): string {
  return debug.live.length === 0
    ? 'No program is being debugged: it is bound when one loads the file.'
    : 'Not bound yet: the program has not loaded the file, or the line has no code.';
}

export function lineOf({ location }: vscode.SourceBreakpoint): number {
  return location.range.start.line + 1;
}

function isSame(one: vscode.SourceBreakpoint, { condition, hitCondition, logMessage }: BreakpointInput): boolean {
  return one.condition === condition && one.hitCondition === hitCondition && one.logMessage === logMessage;
}

function liveRecords(debug: Debugger): SessionRecord[] {
  return debug.live
    .flatMap(({ members }) => members.map(({ record }) => record))
    .filter(({ endedAt }) => endedAt === undefined);
}

function bindingsAt(debug: Debugger, path: string, line: number): Binding[] {
  return liveRecords(debug).flatMap((record) => record.breakpoints.find(path, line) ?? []);
}

function bindingsAtActual(debug: Debugger, path: string, line: number): Binding[] {
  return liveRecords(debug).flatMap((record) => record.breakpoints.boundTo(path, line) ?? []);
}
