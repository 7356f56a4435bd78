import * as vscode from 'vscode';

export interface SavedPicture {
  readonly form: 'svg' | 'png';
  readonly bytes: Uint8Array;
  /** Of which the file's suggested name is made. */
  readonly title: string;
  /** The heading of the dialog. */
  readonly heading: string;
  /** The folder that is suggested. */
  readonly folder: string;
}

/** Writes a picture into a file that the user chooses; undefined when they choose none. */
export async function savePicture({ form, bytes, title, heading, folder }: SavedPicture): Promise<string | undefined> {
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
  const target = await vscode.window.showSaveDialog({
    title: heading,
    defaultUri: vscode.Uri.joinPath(vscode.Uri.file(folder), `${name}.${form}`),
    filters: { [form.toUpperCase()]: [form] },
  });
  if (target === undefined) return undefined;
  await vscode.workspace.fs.writeFile(target, bytes);
  return target.fsPath;
}
