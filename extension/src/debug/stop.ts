import { AppError } from '@devdb/shared/errors';
import { DEBUG_WAIT_MS } from '@devdb/shared/limits';
import type { Progress } from '@devdb/shared/protocol';
import * as vscode from 'vscode';
import type { Debugger } from './debugger.ts';
import type { SessionGroup } from './session-group.ts';
import { waitFor } from './waits.ts';

interface Calling {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** Ends a session, and resolves when it has ended. */
export async function stopSession(debug: Debugger, group: SessionGroup, { signal, progress }: Calling): Promise<void> {
  const options = { signal, progress, timeoutMs: DEBUG_WAIT_MS, message: 'Waiting for the session to end.' };
  const ended = waitFor(debug, () => (group.ended ? true : undefined), options);
  // What fails in the editor is the answer; that it has done its part is not the end yet.
  const stopping = vscode.debug.stopDebugging(group.root).then(() => ended);
  if ((await Promise.race([ended, stopping])) === undefined) throw notEnded();
}

function notEnded(): AppError {
  return new AppError('E_TIMEOUT', `The session did not end within ${DEBUG_WAIT_MS} ms.`, {
    hint: 'The program may take its time to end: debug_status says whether it has.',
  });
}

/** Ends what nothing refers to any more. */
export async function stopSessions(groups: readonly SessionGroup[]): Promise<void> {
  await Promise.all(groups.map(({ root }) => vscode.debug.stopDebugging(root)));
}

/** Runs the program of a session again, as the editor's button does, and resolves when it is launched. */
export async function restartSession(
  debug: Debugger,
  group: SessionGroup,
  { signal, progress }: Calling,
): Promise<void> {
  const before = group.rootRecord;
  const asked = before?.asked('restart') ?? 0;
  group.restarting = true;
  try {
    await vscode.commands.executeCommand('workbench.action.debug.restart', '', { sessionId: group.id });
    const look = () => isAgain(group, before, asked);
    const options = { signal, progress, timeoutMs: DEBUG_WAIT_MS, message: 'Waiting for the session to restart.' };
    if ((await waitFor(debug, look, options)) === undefined) throw notAgain(group);
  } finally {
    group.restarting = false;
    debug.changed();
  }
}

/** Its adapter runs the program again, or a new adapter has launched it. */
function isAgain(group: SessionGroup, before: SessionGroup['rootRecord'], asked: number): true | undefined {
  const now = group.rootRecord;
  if (now === before) return now !== undefined && now.asked('restart') > asked ? true : undefined;
  if (now?.launchFailure !== undefined) throw notAgain(group);
  return now?.launched ? true : undefined;
}

function notAgain({ rootRecord }: SessionGroup): AppError {
  return new AppError('E_LAUNCH_FAILED', rootRecord?.launchFailure ?? 'The program was not run again.', {
    hint: 'Start it anew with debug_start.',
  });
}
