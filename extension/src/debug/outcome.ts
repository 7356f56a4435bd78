import { cappedText } from '@devdb/shared/capped';
import { AppError } from '@devdb/shared/errors';
import { askAdapter, can } from './ask-adapter.ts';
import { type DapFrame, exceptionInfoBody } from './dap.ts';
import type { Debugger } from './debugger.ts';
import { frameFacts, type PausedThread, pausedThread, scopesOf, topFrameOf } from './frames.ts';
import { STOP_LOCALS, STOP_OUTPUT_BYTES, STOP_VALUE_CHARS } from './limits.ts';
import type { Member, SessionGroup, StopAt } from './session-group.ts';
import type { Stop } from './session-record.ts';
import { sourceLines } from './source-lines.ts';
import { sourcePath } from './source-path.ts';
import { thrownText } from './stop-words.ts';
import { firstChildren, shortValue, type VariableFacts, variableFacts } from './variables.ts';

/** What became of a program that ran on, as the tools answer it. */
export interface Outcome {
  readonly event: 'stopped' | 'terminated' | 'error';
  readonly sessionId: string;
  readonly reason?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly functionName?: string;
  readonly threadId?: number;
  readonly frameId?: number;
  readonly exitCode?: number;
  readonly source?: string;
  readonly locals?: readonly VariableFacts[];
  readonly output?: string;
}

export interface OutcomeOptions {
  readonly root: string;
  /** Without the source, the locals and the output. */
  readonly brief: boolean;
}

/** Something that ends a wait. */
export type Moment = { readonly kind: 'stopped'; readonly at: StopAt } | { readonly kind: 'ended' };

/** What has happened to the session after an event: it stands still, or it has ended. */
export function momentAfter(group: SessionGroup, after: number): Moment | undefined {
  const { stopped, ended } = group;
  if (stopped !== undefined && stopped.stop.at > after) return { kind: 'stopped', at: stopped };
  return ended ? { kind: 'ended' } : undefined;
}

export async function outcomeOf(
  debug: Debugger,
  group: SessionGroup,
  moment: Moment,
  options: OutcomeOptions,
): Promise<Outcome> {
  const facts = moment.kind === 'ended' ? endOf(group) : await stopOf(debug, group, moment.at, options);
  return { sessionId: group.id, ...facts, ...(options.brief ? {} : newOutput(group)) };
}

function endOf({ fault, exitCode }: SessionGroup): Omit<Outcome, 'sessionId'> {
  if (fault !== undefined)
    return { event: 'error', message: fault, hint: 'The debug adapter failed; dap_logs has what was printed.' };
  return { event: 'terminated', ...(exitCode === undefined ? {} : { exitCode }) };
}

async function stopOf(
  debug: Debugger,
  group: SessionGroup,
  { member, stop }: StopAt,
  { root, brief }: OutcomeOptions,
): Promise<Omit<Outcome, 'sessionId'>> {
  const told = { event: 'stopped', reason: stop.reason, ...(stop.text ? { message: stop.text } : {}) } as const;
  try {
    const thread = await pausedThread(group);
    const frame = await topFrameOf(thread);
    const threadId = group.threadNumber(thread.member, thread.threadId);
    if (frame === undefined) return { ...told, threadId };
    // None needs another's answer, and each is a way to the debugger or the disk.
    const [thrown, source, locals] = await Promise.all([
      exceptionAt(thread, stop),
      brief ? {} : sourceAt(root, frame),
      brief ? {} : localsAt(debug, thread, frame),
    ]);
    return { ...told, ...thrown, threadId, ...frameFacts(debug, root, thread.member, frame), ...source, ...locals };
  } catch (error) {
    // The person has let it run on meanwhile: that it stopped is true all the same.
    if (error instanceof AppError && member.record.stop !== stop) return told;
    throw error;
  }
}

/** What was thrown: the stop itself often says only that something was. */
async function exceptionAt({ member, threadId }: PausedThread, { reason }: Stop): Promise<{ message?: string }> {
  if (reason !== 'exception' || !can(member, 'supportsExceptionInfoRequest')) return {};
  const info = await askAdapter(member, 'exceptionInfo', { threadId }, exceptionInfoBody);
  return { message: shortValue(thrownText(info)) };
}

/** Which file of the project it is, the program's source map says. */
async function sourceAt(root: string, { source, line }: DapFrame): Promise<{ source?: string }> {
  const lines = source?.path === undefined ? undefined : await sourceLines(root, sourcePath(source.path), line);
  return lines === undefined ? {} : { source: lines };
}

async function localsAt(
  debug: Debugger,
  { member }: PausedThread,
  frame: DapFrame,
): Promise<{ locals?: readonly VariableFacts[] }> {
  const locals: VariableFacts[] = [];
  for (const scope of await scopesOf(member, frame.id)) {
    if (scope.expensive === true || scope.presentationHint === 'globals') break;
    locals.push(...(await factsIn(debug, member, scope, STOP_LOCALS - locals.length)));
    // Blocks stand before the function that they are in.
    if (!/^block/i.test(scope.name) || locals.length >= STOP_LOCALS) break;
  }
  return locals.length === 0 ? {} : { locals };
}

async function factsIn(
  debug: Debugger,
  member: Member,
  scope: Parameters<typeof firstChildren>[1],
  count: number,
): Promise<VariableFacts[]> {
  const { variables } = await firstChildren(member, scope, count);
  return variables.map((variable) => variableFacts(debug, member, variable, STOP_VALUE_CHARS));
}

/** What the program printed since it was last told, its end. */
function newOutput(group: SessionGroup): { output?: string } {
  const printed = group.events.filter(
    ({ kind, at, detail }) => kind === 'output' && at > group.toldUntil && detail !== 'telemetry',
  );
  group.toldUntil = printed.at(-1)?.at ?? group.toldUntil;
  const text = printed.map((event) => event.text).join('');
  if (text === '') return {};
  const { kept, truncated } = cappedText(text, { bytes: STOP_OUTPUT_BYTES, more: '' }, 'end');
  return { output: truncated ? `[...]\n${kept}` : kept };
}
