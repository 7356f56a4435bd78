import { parse } from 'node:path';
import * as vscode from 'vscode';
import { asOneLine } from './one-line.ts';
import { type KeptOutput, TerminalOutput } from './terminal-output.ts';

/** How far a command got. `sent`: its shell tells nothing of it. */
export type RunStatus = 'running' | 'completed' | 'closed' | 'sent';

export interface RunState extends KeptOutput {
  readonly status: RunStatus;
  readonly exitCode: number | undefined;
}

/** A command in a terminal: what it writes, and its end. It continues when no call waits for it any more. */
export class CommandRun {
  readonly #output = new TerminalOutput();
  readonly #ended = Promise.withResolvers<void>();
  readonly command: string;
  #status: RunStatus = 'running';
  #exitCode: number | undefined;
  #terminal: vscode.Terminal | undefined;

  constructor(command: string) {
    this.command = command;
  }

  get isRunning(): boolean {
    return this.#status === 'running';
  }

  get state(): RunState {
    return { ...this.#output.read(), status: this.#status, exitCode: this.#exitCode };
  }

  /** Runs it by the shell's integration, which tells of its output and its end. */
  execute(terminal: vscode.Terminal, shell: vscode.TerminalShellIntegration): vscode.TerminalShellExecution {
    this.#terminal = terminal;
    const line = asOneLine(this.command, shellOf(terminal));
    let execution: vscode.TerminalShellExecution | undefined;
    let reading: Promise<void> | undefined;
    // The event may come in the same moment as the call returns.
    const ending = vscode.window.onDidEndTerminalShellExecution(({ execution: ended, exitCode }) => {
      if (ended !== execution) return;
      Promise.resolve(reading).then(
        () => this.#finish('completed', exitCode),
        // The stream breaks when the terminal goes away.
        () => this.#finish('closed', undefined),
      );
    });
    this.#ended.promise.then(() => ending.dispose());
    execution = shell.executeCommand(line);
    reading = this.#read(execution);
    return execution;
  }

  /** Types it in. Nothing more is known of it. */
  send(terminal: vscode.Terminal): void {
    terminal.sendText(asOneLine(this.command, shellOf(terminal)));
    this.#finish('sent', undefined);
  }

  terminalClosed(): void {
    this.#finish('closed', undefined);
  }

  /** Control-C. */
  interrupt(): void {
    if (this.isRunning) this.#terminal?.sendText('\u0003', false);
  }

  /** Resolves with what is known when the command has ended, or when the time is up; sooner when the signal aborts. */
  settled(withinMs: number, signal: AbortSignal): Promise<RunState> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        resolve(this.state);
      };
      const timer = setTimeout(finish, withinMs);
      signal.addEventListener('abort', finish, { once: true });
      this.#ended.promise.then(finish);
      if (signal.aborted) finish();
    });
  }

  async #read(execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const data of execution.read()) this.#output.push(data);
  }

  #finish(status: RunStatus, exitCode: number | undefined): void {
    if (!this.isRunning) return;
    this.#status = status;
    this.#exitCode = exitCode;
    this.#ended.resolve();
  }
}

/** The shell's kind; the editor finds it out a moment after the terminal is there, and before that it is the usual one. */
function shellOf({ state }: vscode.Terminal): string | undefined {
  return state.shell ?? parse(vscode.env.shell).name.toLowerCase();
}
