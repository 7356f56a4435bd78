import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import type { SourceFile } from './breakpoints.ts';
import type { Debugger } from './debugger.ts';
import { type Sessions, type StartOptions, startSessions } from './start.ts';

const DEBUG_TEST = 'testing.debugAtCursor';
const SHOW_TESTS = 'workbench.view.testing.focus';

/** Debugs the test at a place as the editor's own command does, which takes the place from the editor in front. */
export async function debugTestAt(
  debug: Debugger,
  file: SourceFile,
  at: vscode.Position,
  options: StartOptions,
): Promise<Sessions> {
  if (!(await vscode.commands.getCommands(true)).includes(DEBUG_TEST)) {
    throw new AppError('E_API_UNAVAILABLE', 'This editor cannot debug single tests.', {
      hint: 'Start the test program itself with debug_start.',
    });
  }
  await vscode.window.showTextDocument(file.uri, { selection: new vscode.Range(at, at) });
  const start = {
    // It resolves when the test has run, or at once where there is none.
    begin: async () => {
      await vscode.commands.executeCommand(DEBUG_TEST);
      return undefined;
    },
    matches: () => true,
    nothing: () => noTest(file, at),
  };
  return startSessions(debug, start, options);
}

/** What stands on the line of a test. */
export async function lineText({ uri }: SourceFile, { line }: vscode.Position): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).lineAt(line).text.trim().slice(0, 200);
}

export function position(line: number, column: number): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}

export async function showTests(): Promise<void> {
  await vscode.commands.executeCommand(SHOW_TESTS);
}

function noTest({ relative }: SourceFile, { line }: vscode.Position): AppError {
  return new AppError('E_NO_TEST_AT_CURSOR', `No test was debugged at ${relative}:${line + 1}.`, {
    hint: 'Name the line on which the test begins. Its test extension has to be installed, and must have found the test.',
  });
}
