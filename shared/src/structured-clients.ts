import { isVsCode } from './vscode-client.ts';

/** Whether a success carries `structuredContent` beside its text: by the client's name, or whatever that is. */
export const STRUCTURED_MODES = ['auto', 'always', 'never'] as const;
export type StructuredMode = (typeof STRUCTURED_MODES)[number];

/**
 * Clients whose model reads JSON.stringify(structuredContent) of a success and never the text, which is written for it.
 * A result without the field reaches it as text. Claude Code: anthropics/claude-code issues 79944, 55677 and 86032, and
 * seen with 2.1.327. VS Code: microsoft/vscode issue 290063.
 */
const HIDES_TEXT: readonly ((clientName: string) => boolean)[] = [(name) => /^claude-code\b/i.test(name), isVsCode];

/** Whether this client gets the text alone. Errors carry both everywhere: of these all clients show the text. */
export function getsTextAlone(clientName: string, mode: StructuredMode = 'auto'): boolean {
  if (mode !== 'auto') return mode === 'never';
  return HIDES_TEXT.some((hides) => hides(clientName));
}

export function isStructuredMode(value: unknown): value is StructuredMode {
  return STRUCTURED_MODES.some((mode) => mode === value);
}
