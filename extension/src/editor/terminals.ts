import { AppError } from '@devdb/shared/errors';
import { TERMINAL_START_MS } from '@devdb/shared/limits';
import * as vscode from 'vscode';
import { CommandRun } from './command-run.ts';
import { inEditor } from './folders.ts';
import { FreshPrompt } from './fresh-prompt.ts';
import { MAX_TERMINALS } from './limits.ts';
import { WatchedTerminals } from './watched-terminals.ts';

/** How a command is to run. */
export interface CommandWish {
  readonly command: string;
  readonly timeoutMs: number;
  /** Whether the terminal is brought into view; the keyboard stays where it is. */
  readonly shown: boolean;
}

/** A terminal of ours. */
interface Own {
  readonly terminal: vscode.Terminal;
  readonly prompt: FreshPrompt;
  readonly root: string;
  /** The command that has it, from the moment it was chosen. */
  run: CommandRun | undefined;
  /** Its shell was waited for and has no integration. */
  isMute: boolean;
}

/** A terminal that was taken for a command. Who took it begins the command or releases the terminal. */
export interface Taken {
  readonly run: CommandRun;
  readonly begin: () => void;
  readonly release: () => void;
}

/** The terminals of this window in which commands of agents run: one for each project, and more only while it is busy. */
export class Terminals {
  readonly watched = new WatchedTerminals();
  readonly #own: Own[] = [];
  readonly #last = new Map<string, CommandRun>();
  readonly #closing: vscode.Disposable;

  constructor() {
    this.#closing = vscode.window.onDidCloseTerminal((closed) => {
      const at = this.#own.findIndex(({ terminal }) => terminal === closed);
      if (at < 0) return;
      const [gone] = this.#own.splice(at, 1);
      gone?.run?.terminalClosed();
    });
  }

  /** The command that was begun last in this project. */
  last(root: string): CommandRun | undefined {
    return this.#last.get(root);
  }

  /** Takes a terminal of ours that is free, and waits for its shell. Nothing is run yet. */
  async take(root: string, { command, shown }: CommandWish, signal: AbortSignal): Promise<Taken> {
    const own = this.#free(root) ?? this.#create(root);
    const run = new CommandRun(command);
    own.run = run;
    const release = () => {
      if (own.run === run) own.run = undefined;
    };
    try {
      if (shown) await own.prompt.show(signal);
      const shell = own.isMute ? own.terminal.shellIntegration : await integrationOf(own.terminal, signal);
      own.isMute = shell === undefined;
      if (shell !== undefined) await own.prompt.renew(shell, signal);
      const begin = () => {
        this.#last.set(root, run);
        if (shell === undefined) run.send(own.terminal);
        else this.watched.ours(own.terminal, run.execute(own.terminal, shell), run);
      };
      return { run, begin, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  dispose(): void {
    this.#closing.dispose();
    this.watched.dispose();
    for (const { terminal } of this.#own.splice(0)) terminal.dispose();
  }

  #free(root: string): Own | undefined {
    return this.#own.find((one) => one.root === root && one.run?.isRunning !== true);
  }

  #create(root: string): Own {
    if (this.#own.length >= MAX_TERMINALS) {
      const idle = this.#own.findIndex(({ run }) => run?.isRunning !== true);
      if (idle < 0) throw allBusy();
      const [gone] = this.#own.splice(idle, 1);
      gone?.terminal.dispose();
    }
    const terminal = vscode.window.createTerminal({
      name: 'DevDB',
      cwd: vscode.Uri.file(inEditor(root).path),
      // A pager would wait for keys for ever.
      env: { PAGER: 'cat', GIT_PAGER: 'cat' },
      isTransient: true,
    });
    const own: Own = { terminal, prompt: new FreshPrompt(terminal), root, run: undefined, isMute: false };
    this.#own.push(own);
    return own;
  }
}

/** The shell's integration, once it is there; undefined where it does not come in time. */
function integrationOf(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration !== undefined) return Promise.resolve(terminal.shellIntegration);
  return new Promise((resolve, reject) => {
    const parts: vscode.Disposable[] = [];
    const end = (finish: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      for (const part of parts) part.dispose();
      finish();
    };
    const onAbort = () => end(() => reject(new AppError('E_CANCELLED', 'The call was ended.')));
    const timer = setTimeout(() => end(() => resolve(undefined)), TERMINAL_START_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    parts.push(
      vscode.window.onDidChangeTerminalShellIntegration((change) => {
        if (change.terminal === terminal) end(() => resolve(change.shellIntegration));
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) end(() => reject(closedAtStart()));
      }),
    );
    if (signal.aborted) onAbort();
  });
}

function closedAtStart(): AppError {
  return new AppError('E_TERMINAL_FAILED', 'The terminal was closed before the command could run.', {
    hint: 'Call again. If it stays so, the shell of the setting terminal.integrated.defaultProfile does not start.',
    details: { applied: false },
  });
}

function allBusy(): AppError {
  return new AppError('E_TERMINAL_BUSY', `A command still runs in each of the ${MAX_TERMINALS} terminals of DevDB.`, {
    hint: 'Ask the user to end one of them, or wait: get_command_output tells of the last one.',
    details: { applied: false },
  });
}
