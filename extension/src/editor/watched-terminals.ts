import { cappedText } from '@devdb/shared/capped';
import { DEFAULT_RESULT_BYTES } from '@devdb/shared/limits';
import * as vscode from 'vscode';
import { MAX_TERMINAL_COMMANDS, MAX_WATCHED_TERMINALS } from './limits.ts';
import { type KeptOutput, TerminalOutput } from './terminal-output.ts';

interface Watched {
  readonly command: string;
  readonly output: TerminalOutput;
}

/** What commands write in the terminals of this window, the user's own too, as far as shells tell of it. */
export class WatchedTerminals {
  /** The newest last. */
  readonly #terminals = new Map<vscode.Terminal, Watched[]>();
  readonly #parts: readonly vscode.Disposable[];

  constructor() {
    this.#parts = [
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#watch(terminal, execution)),
      vscode.window.onDidCloseTerminal((terminal) => this.#terminals.delete(terminal)),
    ];
  }

  /** The text of the active terminal, or of the one that ran a command last. */
  text(): KeptOutput {
    const active = vscode.window.activeTerminal;
    const commands = (active && this.#terminals.get(active)) ?? [...this.#terminals.values()].at(-1) ?? [];
    const parts = commands.map(({ command, output }) => {
      const { text, truncated } = output.read();
      return { text: `> ${command}\n${text}`, truncated };
    });
    const whole = parts.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('');
    const more = 'The earlier commands of the terminal are left out.';
    const { kept, truncated, ...rest } = cappedText(whole.trimEnd(), { bytes: DEFAULT_RESULT_BYTES, more }, 'end');
    const told = 'rest' in rest ? `[${rest.rest}]\n` : '';
    return { text: `${told}${kept}`, truncated: truncated || parts.some((part) => part.truncated) };
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
    this.#terminals.clear();
  }

  #watch(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const commands = this.#terminals.get(terminal) ?? [];
    const output = new TerminalOutput();
    commands.push({ command: execution.commandLine.value, output });
    if (commands.length > MAX_TERMINAL_COMMANDS) commands.shift();
    this.#terminals.delete(terminal);
    this.#terminals.set(terminal, commands);
    const [oldest] = this.#terminals.keys();
    if (this.#terminals.size > MAX_WATCHED_TERMINALS && oldest !== undefined) this.#terminals.delete(oldest);
    void read(execution, output);
  }
}

async function read(execution: vscode.TerminalShellExecution, output: TerminalOutput): Promise<void> {
  for await (const data of execution.read()) output.push(data);
}
