import { AppError } from '@devdb/shared/errors';
import type { RunState } from './command-run.ts';
import { reloadEditors } from './reload-editors.ts';
import type { CommandWish, Terminals } from './terminals.ts';

/** As much of a call as running a command needs. */
export interface CommandCall {
  readonly root: string;
  readonly signal: AbortSignal;
  change<T>(apply: () => Promise<T>): Promise<T>;
}

/** What a command came to, in the form of the tools that run one. */
export interface CommandAnswer {
  readonly text: string;
  readonly status: 'completed' | 'running' | 'closed' | 'sent';
  readonly exitCode?: number;
  readonly truncated: boolean;
}

/** Runs a command in a terminal of ours and waits for its end, or until the time is up: then it goes on. */
export async function runCommand(terminals: Terminals, wish: CommandWish, call: CommandCall): Promise<CommandAnswer> {
  const { root, signal } = call;
  const { run, begin, release } = await terminals.take(root, wish, signal);
  try {
    await call.change(async () => begin());
  } catch (error) {
    release();
    throw error;
  }
  const state = await run.settled(wish.timeoutMs, signal);
  if (signal.aborted && state.status === 'running') {
    run.interrupt();
    throw new AppError('E_CANCELLED', 'The call was ended, and its command was interrupted.');
  }
  if (state.status === 'completed') await reloadEditors(root, signal);
  return answerOf(state, wish.timeoutMs);
}

/** The output, and behind it in brackets what else there is to know. */
export function answerOf(state: RunState, timeoutMs: number): CommandAnswer {
  const { text, status, exitCode, truncated } = state;
  const note = noteOf(state, timeoutMs);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    text: note === undefined ? text.replace(/\n$/, '') : `${text}${gap}[${note}]`,
    status,
    ...(exitCode === undefined ? {} : { exitCode }),
    truncated,
  };
}

function noteOf({ status, exitCode }: RunState, timeoutMs: number): string | undefined {
  switch (status) {
    case 'completed':
      if (exitCode === 0) return undefined;
      return exitCode === undefined ? 'It ended; its exit code is not known.' : `Exit code ${exitCode}`;
    case 'running':
      return `It still runs after ${timeoutMs} ms and goes on. Read its output later with get_command_output.`;
    case 'closed':
      return 'Its terminal was closed before it ended.';
    case 'sent':
      return 'It was sent to the terminal "DevDB". The shell there has no shell integration, so that its output and exit code cannot be read: have it write to a file, or ask the user.';
  }
}
