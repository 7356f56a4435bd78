import { join } from 'node:path';
import type { Window } from './editor-lab.ts';

/** Opens a file of the examples and selects its first word, as their tools that act on the open file need it. */
export function selectInExample(window: Window, root: string): Promise<void> {
  return window.run(
    async (vscode, file) => {
      const selection = new vscode.Range(0, 0, 0, 6);
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, selection });
    },
    join(root, 'src', 'greeting.ts'),
  );
}
