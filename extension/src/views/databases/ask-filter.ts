import * as vscode from 'vscode';

/** A person who types is not held up by a large tree that is drawn for each key. */
const PAUSE_MS = 100;

/**
 * Lets a person type a filter, which applies while they type. Enter keeps it; Escape goes back to the one before.
 * Resolves when the input is gone.
 */
export async function askFilter(before: string, apply: (filter: string) => void): Promise<void> {
  const input = vscode.window.createInputBox();
  input.title = 'Show only tables whose name contains';
  input.placeholder = 'Words of the name, in any order';
  input.prompt = 'Databases that are not open yet are left as they are. Enter keeps the filter, Escape takes it back.';
  input.value = before;
  let kept = before;
  let timer: NodeJS.Timeout | undefined;
  input.onDidChangeValue((value) => {
    clearTimeout(timer);
    timer = setTimeout(() => apply(value), PAUSE_MS);
  });
  input.onDidAccept(() => {
    kept = input.value;
    input.hide();
  });
  const gone = new Promise<void>((resolve) => {
    input.onDidHide(() => resolve());
  });
  input.show();
  await gone;
  clearTimeout(timer);
  apply(kept);
  input.dispose();
}
