import { AppError } from '@devdb/shared/errors';
import { shownPath } from '../editor/paths.ts';
import { askAdapter } from './ask-adapter.ts';
import { type DapFrame, type DapScope, scopesBody, stackTraceBody, threadsBody } from './dap.ts';
import type { Asker, Debugger } from './debugger.ts';
import type { Handle } from './handles.ts';
import type { Member, SessionGroup, StopAt } from './session-group.ts';
import type { SessionRecord } from './session-record.ts';
import { sourcePath } from './source-path.ts';

/** A thread that stands still. */
export interface PausedThread {
  readonly member: Member;
  readonly threadId: number;
}

/** The thread that is meant, which has to stand still: the one that stopped last, unless a number says which. */
export async function pausedThread(group: SessionGroup, number?: number): Promise<PausedThread> {
  if (number === undefined) {
    if (group.stopped === undefined) throw notPaused(group);
    return threadOf(group.stopped);
  }
  const thread = group.thread(number);
  if (thread === undefined) {
    throw new AppError('E_INVALID_REFERENCE', `There is no thread ${number}.`, { hint: 'debug_threads lists them.' });
  }
  if (thread.member.record.stopOf(thread.threadId) === undefined) throw notPaused(group);
  return thread;
}

/** The thread of a stop; an adapter that does not say which has one at least. */
async function threadOf({ member, stop }: StopAt): Promise<PausedThread> {
  if (stop.threadId !== undefined) return { member, threadId: stop.threadId };
  const { threads } = await askAdapter(member, 'threads', {}, threadsBody);
  return { member, threadId: threads[0]?.id ?? 0 };
}

export function notPaused(group: SessionGroup): AppError {
  return new AppError('E_NOT_PAUSED', `The program of the session ${group.root.name} is running.`, {
    hint: 'Set a breakpoint and call debug_wait_for_hit, or stop it where it is with debug_pause.',
    details: { sessionId: group.id },
  });
}

export function noProcess(): AppError {
  return new AppError('E_NO_SESSION', 'The session has no process that runs.', { hint: 'Start one with debug_start.' });
}

export interface ThreadFacts {
  readonly threadId: number;
  readonly name: string;
  readonly paused: boolean;
}

export async function threadsOf(group: SessionGroup): Promise<ThreadFacts[]> {
  const running = group.members.filter(({ record }) => record.endedAt === undefined && record.launched);
  const lists = await Promise.all(
    running.map(async (member) => {
      const { threads } = await askAdapter(member, 'threads', {}, threadsBody, 'E_NO_SESSION');
      return threads.map(({ id, name }) => ({
        threadId: group.threadNumber(member, id),
        name,
        paused: member.record.stopOf(id) !== undefined,
      }));
    }),
  );
  return lists.flat();
}

/** A frame as answers have it. */
export interface FrameFacts {
  readonly frameId: number;
  readonly functionName: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Frames {
  readonly frames: readonly DapFrame[];
  readonly total: number | undefined;
}

export async function framesOf({ member, threadId }: PausedThread, levels: number): Promise<Frames> {
  const args = { threadId, startFrame: 0, levels };
  const { stackFrames, totalFrames } = await askAdapter(member, 'stackTrace', args, stackTraceBody);
  return { frames: stackFrames.slice(0, levels), total: totalFrames };
}

export function frameFacts(debug: Debugger, root: string, { record }: Member, frame: DapFrame): FrameFacts {
  const { id, name, source, line, column } = frame;
  const file = source?.path === undefined ? source?.name : shownPath(root, sourcePath(source.path));
  return {
    frameId: debug.handles.give({ owner: record, kind: 'frame', id }),
    functionName: name,
    ...(file === undefined ? {} : { file, line, column }),
  };
}

/** What a number of an earlier answer stands for, and the session it belongs to. */
export interface Referred {
  readonly group: SessionGroup;
  readonly member: Member;
  readonly id: number;
  /** Elements of a container. */
  readonly indexed: number | undefined;
}

export function referred(debug: Debugger, asker: Asker, number: number, kind: Handle<SessionRecord>['kind']): Referred {
  const field = kind === 'frame' ? 'frameId' : 'variablesReference';
  const found = debug.handles.find(number, kind);
  if ('problem' in found) {
    const why =
      found.problem === 'stale' ? 'is of an earlier stop: the program has run on since' : 'was never given out';
    throw new AppError('E_INVALID_REFERENCE', `${field} ${number} ${why}.`, {
      hint: 'Get a new one: debug_stack gives frames, debug_scopes and debug_list_variables give references.',
      details: { [field]: number },
    });
  }
  const place = debug.placeOf(found.handle.owner);
  if (place === undefined)
    throw new AppError('E_NO_SESSION', 'Its debug session has ended.', { hint: 'Start one with debug_start.' });
  return {
    group: debug.mayTouch(asker, place.group),
    member: place.member,
    id: found.handle.id,
    indexed: found.handle.indexed,
  };
}

export async function scopesOf(member: Member, frameId: number): Promise<readonly DapScope[]> {
  const { scopes } = await askAdapter(member, 'scopes', { frameId }, scopesBody, 'E_INVALID_REFERENCE');
  return scopes;
}

export interface TopFrame {
  readonly member: Member;
  readonly frame: DapFrame;
}

/** Where a thread stands; the adapter is asked where that is not known from an earlier answer. */
export async function topFrameOf(thread: PausedThread): Promise<DapFrame | undefined> {
  return thread.member.record.topFrames.of(thread.threadId) ?? (await framesOf(thread, 1)).frames[0];
}

/** Where the program stands. */
export async function topFrame(group: SessionGroup): Promise<TopFrame> {
  const thread = await pausedThread(group);
  const frame = await topFrameOf(thread);
  if (frame === undefined) throw notPaused(group);
  return { member: thread.member, frame };
}

export function scopeFacts(debug: Debugger, { record }: Member, scope: DapScope) {
  const { name, variablesReference: id, expensive = false, namedVariables, indexedVariables } = scope;
  return {
    name,
    variablesReference: debug.handles.give({ owner: record, kind: 'variables', id, indexed: indexedVariables }),
    expensive,
    ...(namedVariables === undefined ? {} : { namedVariables }),
    ...(indexedVariables === undefined ? {} : { indexedVariables }),
  };
}

export type ScopeChoice = 'all' | 'local' | 'closure' | 'global';

/** The scopes of a frame that are meant: adapters mark them by a hint, or only by their names. */
export async function chosenScopes(member: Member, frameId: number, choice: ScopeChoice): Promise<readonly DapScope[]> {
  const scopes = await scopesOf(member, frameId);
  return scopes.filter((scope) => (choice === 'all' ? kindOf(scope) !== 'global' : kindOf(scope) === choice));
}

function kindOf({ name, presentationHint, expensive }: DapScope): ScopeChoice {
  if (presentationHint === 'globals' || presentationHint === 'registers' || /^global/i.test(name)) return 'global';
  if (/^(closure|script|module)/i.test(name)) return 'closure';
  return expensive === true && presentationHint !== 'locals' ? 'global' : 'local';
}
