import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { tellAdapter } from './ask-adapter.ts';
import type { Debugger } from './debugger.ts';
import { type PausedThread, pausedThread, threadsOf } from './frames.ts';
import { type Moment, momentAfter } from './outcome.ts';
import type { Member, SessionGroup } from './session-group.ts';
import { type WaitOptions, waitFor } from './waits.ts';

/** How a program is moved, by the editor's own command, so that its views follow, or by the request behind it. */
const MOVES = {
  continue: { command: 'workbench.action.debug.continue', request: 'continue' },
  over: { command: 'workbench.action.debug.stepOver', request: 'next' },
  into: { command: 'workbench.action.debug.stepInto', request: 'stepIn' },
  out: { command: 'workbench.action.debug.stepOut', request: 'stepOut' },
  pause: { command: 'workbench.action.debug.pause', request: 'pause' },
} as const;
export type MoveKind = keyof typeof MOVES;

export type MoveWait = Omit<WaitOptions, 'message'>;

/** Lets the program that stands still run on, and resolves when it stands still again or has ended. */
export async function runOn(debug: Debugger, group: SessionGroup, kind: MoveKind, wait: MoveWait): Promise<Moment> {
  const thread = await pausedThread(group);
  const before = latest(group);
  await move(thread, kind);
  return momentOf(debug, group, before, wait);
}

/** Stops the program where it is. One that stands still already is left as it is. */
export async function pauseProgram(debug: Debugger, group: SessionGroup, wait: MoveWait): Promise<Moment> {
  const now = momentAfter(group, 0);
  if (now !== undefined) return now;
  const thread = (await anyThread(group)) ?? (await firstThread(debug, group, wait));
  const before = latest(group);
  await move(thread, 'pause');
  return momentOf(debug, group, before, wait);
}

async function anyThread(group: SessionGroup): Promise<PausedThread | undefined> {
  const [thread] = await threadsOf(group);
  return thread && group.thread(thread.threadId);
}

/** A program that is just starting has a thread soon. */
async function firstThread(debug: Debugger, group: SessionGroup, wait: MoveWait): Promise<PausedThread> {
  const look = () => group.anyThread ?? (group.ended ? ('ended' as const) : undefined);
  const found = await waitFor(debug, look, { ...wait, message: 'Waiting for the program to start.' });
  if (found !== undefined && found !== 'ended') return found;
  throw new AppError('E_NOT_SUPPORTED', 'The program has no thread that could be stopped.', {
    hint: 'It may have ended meanwhile: debug_status says so.',
  });
}

/** The next stop or the end; at once where the program stands still already. */
export async function nextMoment(debug: Debugger, group: SessionGroup, wait: MoveWait): Promise<Moment> {
  return momentOf(debug, group, 0, wait);
}

async function momentOf(debug: Debugger, group: SessionGroup, after: number, wait: MoveWait): Promise<Moment> {
  const message = 'Waiting for the program to stop.';
  const moment = await waitFor(debug, () => momentAfter(group, after), { ...wait, message });
  if (moment !== undefined) return moment;
  throw new AppError('E_TIMEOUT', `The program did not stop within ${wait.timeoutMs} ms; it runs on.`, {
    hint: 'Wait on with debug_wait_for_hit, look where it is with debug_pause, or check with breakpoint_list that a breakpoint is verified.',
    details: { timeoutMs: wait.timeoutMs, sessionId: group.id },
  });
}

/** The number of the last stop, so that only a later one counts. */
function latest(group: SessionGroup): number {
  return group.stopped?.stop.at ?? 0;
}

async function move({ member, threadId }: PausedThread, kind: MoveKind): Promise<void> {
  const { command, request } = MOVES[kind];
  const before = asked(member, request);
  const thread = { sessionId: member.session.id, threadId: `thread:${member.session.id}:${threadId}` };
  await vscode.commands.executeCommand(command, '', thread);
  // An editor that does not know this thread yet, or names it otherwise, has not asked the adapter.
  if (asked(member, request) === before) await tellAdapter(member, request, { threadId }, 'E_NOT_PAUSED');
}

function asked({ record }: Member, request: string): number {
  return record.asked(request);
}
