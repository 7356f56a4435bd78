import { cappedText } from '@devdb/shared/capped';
import { DEFAULT_RESULT_BYTES } from '@devdb/shared/limits';
import * as vscode from 'vscode';
import type { CommandRun } from './command-run.ts';
import { MAX_TERMINAL_COMMANDS, MAX_WATCHED_TERMINALS } from './limits.ts';
import { type KeptOutput, TerminalOutput } from './terminal-output.ts';

interface Watched {
  readonly command: string;
  readonly read: () => KeptOutput;
}

/** What commands write in the terminals of this window, the user's own too, as far as shells tell of it. */
export class WatchedTerminals {
  /** The newest last. */
  readonly #terminals = new Map<vscode.Terminal, Watched[]>();
  readonly #ours = new WeakSet<vscode.TerminalShellExecution>();
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
    const parts = commands.map(({ command, read }) => {
      const { text, truncated } = read();
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

  /** A command of ours, read from its beginning: of a short one the editor tells others when it is over. */
  ours(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution, run: CommandRun): void {
    this.#ours.add(execution);
    this.#add(terminal, { command: run.command, read: () => run.state });
  }

  #watch(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    if (this.#ours.has(execution)) return;
    const output = new TerminalOutput();
    this.#add(terminal, { command: execution.commandLine.value, read: () => output.read() });
    void read(execution, output);
  }

  #add(terminal: vscode.Terminal, watched: Watched): void {
    const commands = this.#terminals.get(terminal) ?? [];
    commands.push(watched);
    if (commands.length > MAX_TERMINAL_COMMANDS) commands.shift();
    this.#terminals.delete(terminal);
    this.#terminals.set(terminal, commands);
    const [oldest] = this.#terminals.keys();
    if (this.#terminals.size > MAX_WATCHED_TERMINALS && oldest !== undefined) this.#terminals.delete(oldest);
  }
}

async function read(execution: vscode.TerminalShellExecution, output: TerminalOutput): Promise<void> {
  for await (const data of execution.read()) output.push(data);
}
