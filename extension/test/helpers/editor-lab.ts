import { join } from 'node:path';
import type * as vscode from 'vscode';
import { describeUnless } from '../../../fixtures/labs/needs.ts';
import { cachedVsCode } from '../../../fixtures/labs/vscode/install.ts';
import { VsCode, type VsCodeOptions } from '../../../fixtures/labs/vscode/vscode.ts';
import type { EditorWindow } from '../../../fixtures/labs/vscode/window.ts';

export type Editor = VsCode<typeof vscode>;
export type Window = EditorWindow<typeof vscode>;

/** This tree's extension, as built by `npm run build`. */
export const EXTENSION = join(__dirname, '..', '..');

const lab = cachedVsCode();

/** A suite that needs a real VS Code; without one it is listed as not run. */
export function describeEditor(name: string, suite: () => void): void {
  describeUnless('notRun' in lab ? lab.notRun : undefined, name, suite);
}

export type EditorOptions = Partial<Omit<VsCodeOptions, 'install'>>;

/** Starts an editor with this tree's extension, or with the given one. */
export function startEditor(options: EditorOptions = {}): Promise<Editor> {
  if ('notRun' in lab) throw new Error(lab.notRun);
  return VsCode.start<typeof vscode>({ extension: EXTENSION, ...options, install: lab });
}
