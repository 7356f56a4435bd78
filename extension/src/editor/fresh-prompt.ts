import * as vscode from 'vscode';
import { nextEvent, pause } from './waiting.ts';

const LOOK_MS = 20;
/** A terminal that comes into view has its size by then. */
const SIZED_MS = 500;
/** A shell that gives no new prompt by then gives none. */
const PROMPT_MS = 2_000;

/**
 * Keeps the prompt of a terminal at which the editor reads commands right. It misreads what is typed at a prompt that was
 * written before the terminal changed its size, and then never reports the end of that command.
 */
export class FreshPrompt {
  readonly #terminal: vscode.Terminal;
  #size: string | undefined;
  #isShown = false;

  constructor(terminal: vscode.Terminal) {
    this.#terminal = terminal;
  }

  /** Brings the terminal into view; the keyboard stays where it is. The first time changes its size, a moment later. */
  async show(signal: AbortSignal): Promise<void> {
    this.#terminal.show(true);
    const isFirst = !this.#isShown;
    this.#isShown = true;
    if (!isFirst || this.#size === undefined) return;
    const until = performance.now() + SIZED_MS;
    while (this.#size === sizeOf(this.#terminal) && performance.now() < until) await pause(LOOK_MS, signal);
  }

  /** An empty line brings a new prompt, of which the editor tells as of a command. */
  async renew(shell: vscode.TerminalShellIntegration, signal: AbortSignal): Promise<void> {
    const before = this.#size;
    this.#size = sizeOf(this.#terminal);
    if (before === undefined || before === this.#size) return;
    const isHere = ({ terminal }: vscode.TerminalShellExecutionEndEvent) => terminal === this.#terminal;
    const renewed = nextEvent(vscode.window.onDidEndTerminalShellExecution, isHere, PROMPT_MS, signal);
    shell.executeCommand('');
    await renewed;
  }
}

/** The API's types do not have it yet. */
function sizeOf(terminal: vscode.Terminal): string | undefined {
  const { dimensions }: { readonly dimensions?: unknown } = Object(terminal);
  return JSON.stringify(dimensions);
}
