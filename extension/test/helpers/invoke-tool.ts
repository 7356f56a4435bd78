import type { Window } from './editor-lab.ts';

/** What the editor's own agent gets from a tool: its text, or the error thrown. */
export interface Invoked {
  readonly ok: boolean;
  readonly text: string;
}

/** Invokes a tool by the name the editor lists, as its own agent does. */
export function invokeTool(window: Window, tool: string, input: object): Promise<Invoked> {
  return window.run(
    async (vscode, name, value) => {
      try {
        const { content } = await vscode.lm.invokeTool(name, { input: value, toolInvocationToken: undefined });
        const text = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '?')).join('');
        return { ok: true, text };
      } catch (error) {
        return { ok: false, text: error instanceof Error ? error.message : String(error) };
      }
    },
    tool,
    input,
  );
}
