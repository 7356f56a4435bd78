import { AppError } from '@devdb/shared/errors';
import { shownPath } from '../editor/paths.ts';
import type { Debugger } from './debugger.ts';
import { notRecorded, type Recording } from './recording.ts';
import type { SessionGroup } from './session-group.ts';

/** What was recorded of the session that is named, or of the latest. */
export function recordingOf(debug: Debugger, root: string, sessionId: string | undefined): Recording {
  const { groups } = debug;
  const group = sessionId === undefined ? groups.at(-1) : debug.recorded(sessionId);
  if (group !== undefined) return recording(group, root);
  if (sessionId !== undefined)
    throw notRecorded(
      sessionId,
      groups.map(({ id, root: { name } }) => `${id} (${name})`),
    );
  throw new AppError('E_NO_SESSION', 'Nothing was debugged in this window yet.', {
    hint: 'Start a debug session first using debug_start.',
  });
}

export function allRecordings(debug: Debugger, root: string): Recording[] {
  return debug.groups.map((group) => recording(group, root));
}

function recording(group: SessionGroup, root: string): Recording {
  const { rootRecord, exitCode, members } = group;
  const startedAt = rootRecord?.startedAt ?? Date.now();
  const session = {
    sessionId: group.id,
    sessionName: group.root.name,
    adapterType: group.root.type,
    live: !group.ended,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: (rootRecord?.endedAt ?? Date.now()) - startedAt,
    ...(exitCode === undefined ? {} : { exitCode }),
    dropped: members.reduce((sum, { record }) => sum + record.dropped, 0),
  };
  const events = group.events.map((event) => {
    return event.file === undefined ? event : { ...event, file: shownPath(root, event.file) };
  });
  return { session, startedAt, events };
}

/** What the debuggers of a session can do, and how long they took to answer. */
export function adapterFacts({ members }: SessionGroup) {
  const capabilities = members.flatMap(({ record }) => Object.entries(record.capabilities));
  const times = new Map<string, { count: number; failed: number; totalMs: number; mostMs: number }>();
  for (const [command, one] of members.flatMap(({ record }) => [...record.times])) {
    const sum = times.get(command) ?? { count: 0, failed: 0, totalMs: 0, mostMs: 0 };
    times.set(command, {
      count: sum.count + one.count,
      failed: sum.failed + one.failed,
      totalMs: sum.totalMs + one.totalMs,
      mostMs: Math.max(sum.mostMs, one.mostMs),
    });
  }
  const requests = [...times].map(([command, { count, failed, totalMs, mostMs }]) => {
    return { command, count, failed, meanMs: Math.round(totalMs / count), mostMs };
  });
  const able = capabilities.filter(([, value]) => value === true).map(([name]) => name);
  return { capabilities: [...new Set(able)].sort(), requests };
}
