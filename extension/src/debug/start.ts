import { AppError } from '@devdb/shared/errors';
import type { Progress } from '@devdb/shared/protocol';
import * as vscode from 'vscode';
import type { BorrowedSettings } from '../editor/borrowed-settings.ts';
import type { Debugger } from './debugger.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { SessionGroup } from './session-group.ts';
import { waitFor } from './waits.ts';

/** At least one. */
export type Sessions = readonly [SessionGroup, ...SessionGroup[]];

export interface StartOptions {
  /** The client whose user agreed to it. */
  readonly client: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly progress: (progress: Progress) => void;
}

/** How the editor is asked to start something, which resolves when it has, or with false when it did not. */
export interface Begin {
  readonly begin: () => Thenable<boolean | undefined>;
  readonly matches: (session: vscode.DebugSession) => boolean;
  /** It starts several sessions, of which the editor says when all are there. */
  readonly hasSeveral?: boolean;
  /** The error for a start after which no session came. */
  readonly nothing: () => AppError;
}

/** The sessions of one start as they come. One that comes after the call has ended is stopped. */
class Starting {
  readonly groups: SessionGroup[] = [];
  answer: { readonly started: boolean; readonly cause?: unknown } | undefined;
  abandoned = false;
}

/**
 * Starts something and resolves with its sessions when the program is launched. When the call ends before that, what it
 * started is stopped: nothing else refers to it.
 */
export async function startSessions(debug: Debugger, start: Begin, options: StartOptions): Promise<Sessions> {
  const { client, signal, timeoutMs, progress } = options;
  const starting = new Starting();
  const claim = debug.claim({
    matches: start.matches,
    take: (group) => {
      group.starter = { client };
      starting.groups.push(group);
      if (starting.abandoned) void vscode.debug.stopDebugging(group.root);
    },
  });
  const settled = (answer: Starting['answer']) => {
    starting.answer = answer;
    // Whatever begins later is somebody else's.
    if (starting.abandoned) claim.dispose();
    debug.changed();
  };
  start.begin().then(
    (started) => settled({ started: started !== false }),
    (cause: unknown) => settled({ started: false, cause }),
  );
  const message = 'Waiting for the debug session to start.';
  try {
    const groups = await waitFor(debug, () => startedOf(starting, start), { signal, timeoutMs, progress, message });
    if (groups === undefined) throw notStarted(timeoutMs);
    claim.dispose();
    return groups;
  } catch (error) {
    if (starting.answer !== undefined) claim.dispose();
    starting.abandoned = true;
    for (const { root } of starting.groups) await vscode.debug.stopDebugging(root);
    throw error;
  }
}

/** The sessions, once the program runs; undefined as long as that is open. */
function startedOf({ groups, answer }: Starting, { nothing, hasSeveral = false }: Begin): Sessions | undefined {
  const [first, ...others] = groups;
  for (const group of groups) {
    const failure = group.rootRecord?.launchFailure;
    if (failure !== undefined) throw launchFailed(failure);
  }
  if (answer?.started === false && (answer.cause !== undefined || first !== undefined))
    throw failedStart(answer.cause, first);
  if (first === undefined) {
    if (answer !== undefined) throw nothing();
    return undefined;
  }
  // Of a compound the others come meanwhile: the editor's own word says that all of them are there.
  const runs = first.rootRecord?.launched === true;
  return answer !== undefined || (runs && (first.ended || !hasSeveral)) ? [first, ...others] : undefined;
}

function failedStart(cause: unknown, group: SessionGroup | undefined): AppError {
  const said = cause instanceof Error ? cause.message : group?.fault;
  return launchFailed(said ?? 'The editor did not start it.');
}

function launchFailed(why: string): AppError {
  return new AppError('E_LAUNCH_FAILED', why, {
    hint: 'This is what the debugger said. Correct the configuration or the program, then start it again.',
  });
}

function notStarted(timeoutMs: number): AppError {
  return new AppError('E_TIMEOUT', `The debug session did not start within ${timeoutMs} ms and was stopped.`, {
    hint: 'A task that runs before may take long: pass a larger timeoutMs. The editor may also show a question to its user.',
    details: { timeoutMs },
  });
}

interface PlanOptions extends StartOptions {
  readonly noDebug: boolean;
  readonly settings: BorrowedSettings;
}

/** Starts what a plan says. A task that fails before it ends the start, where the editor would ask its user. */
export function startPlan(
  debug: Debugger,
  plan: LaunchPlan,
  { noDebug, settings, ...options }: PlanOptions,
): Promise<Sessions> {
  const { folder, what, names, hasTask } = plan;
  const start: Begin = {
    begin: () => vscode.debug.startDebugging(folder, what, { noDebug, suppressSaveBeforeStart: true }),
    matches: ({ configuration }) => names.has(configuration.name),
    hasSeveral: names.size > 1,
    nothing: startRefused,
  };
  const run = () => startSessions(debug, start, options);
  if (!hasTask || folder === undefined) return run();
  const wanted = { folder: folder.uri.fsPath, settings: new Map([['debug.onTaskErrors', 'abort']]) };
  return settings.with(wanted, options.signal, run);
}

function startRefused(): AppError {
  return new AppError('E_LAUNCH_FAILED', 'The editor did not start it.', {
    hint: 'A task that runs before may have failed, the debugger’s type may not be installed, or a variable of the configuration may be unknown.',
  });
}
