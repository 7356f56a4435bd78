import type * as vscode from 'vscode';
import * as z from 'zod';
import type { Window } from './editor-lab.ts';
import { until } from './until.ts';

/** Begins to record what a person sees move in a window: editors, tabs, terminals, the part of a file on show. */
export function watchMoves(window: Window): Promise<void> {
  return window.run((vscode) => {
    const moves: string[] = [];
    const nameOf = ({ document }: { readonly document: { readonly uri: { readonly path: string } } }) =>
      document.uri.path;
    const topOf = (ranges: readonly { readonly start: { readonly line: number } }[]) => ranges[0]?.start.line;
    const tops = new Map(vscode.window.visibleTextEditors.map((editor) => [editor, topOf(editor.visibleRanges)]));
    vscode.window.onDidChangeActiveTextEditor((editor) => moves.push(`active: ${editor && nameOf(editor)}`));
    vscode.window.onDidChangeVisibleTextEditors((editors) => moves.push(`visible: ${editors.map(nameOf).join(' ')}`));
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
      const [before, now] = [tops.get(textEditor), topOf(visibleRanges)];
      if (before !== now) moves.push(`scrolled: ${nameOf(textEditor)} from ${before} to ${now}`);
    });
    vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      for (const { label } of opened) moves.push(`tab opened: ${label}`);
      for (const { label } of closed) moves.push(`tab closed: ${label}`);
    });
    vscode.window.tabGroups.onDidChangeTabGroups(({ opened, closed }) => {
      if (opened.length + closed.length > 0) moves.push('groups of tabs changed');
    });
    vscode.window.onDidOpenTerminal(({ name }) => moves.push(`terminal opened: ${name}`));
    Object.assign(globalThis, { labMoves: moves });
  });
}

/** What moved since then. */
export async function movesSeen(window: Window): Promise<string[]> {
  return z.array(z.string()).parse(await window.run(() => Reflect.get(globalThis, 'labMoves')));
}

/** Opens a file as it is on the disk, and puts the cursor at the end of a line in the middle of what is on show. */
export async function typeInto(window: Window, file: string, line: number): Promise<void> {
  await window.run(
    async (vscode, path, at) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
      await vscode.commands.executeCommand('workbench.action.files.revert');
      const { end } = editor.document.lineAt(at - 1).range;
      editor.selection = new vscode.Selection(end, end);
      editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
      // The page handles what it hears in order: with this answer the cursor is where the keys have to go.
      await vscode.commands.getCommands();
    },
    file,
    line,
  );
  // The extension host hears of it some time after the page has scrolled.
  await until('the line is in the middle', () => window.run(isInMiddle, line));
}

/** Runs in the extension host. */
function isInMiddle(code: typeof vscode, line: number): boolean {
  const [shown] = code.window.activeTextEditor?.visibleRanges ?? [];
  return shown !== undefined && Math.abs((shown.start.line + shown.end.line) / 2 - line) < 5;
}

/** The state of a file in which a person types. */
export interface TypedFile {
  /** The file with the keyboard. */
  readonly active: string | undefined;
  readonly isDirty: boolean;
  readonly text: string;
}

export function typedFile(window: Window, file: string): Promise<TypedFile> {
  return window.run((vscode, path) => {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
    return {
      active: vscode.window.activeTextEditor?.document.uri.fsPath,
      isDirty: document?.isDirty === true,
      text: document?.getText() ?? '',
    };
  }, file);
}
