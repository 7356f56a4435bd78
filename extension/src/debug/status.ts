import { AppError } from '@devdb/shared/errors';
import type { Asker, Debugger } from './debugger.ts';
import { frameFacts, threadsOf, topFrame } from './frames.ts';
import type { SessionGroup } from './session-group.ts';

/** A session as debug_status tells it. */
export async function sessionFacts(
  debug: Debugger,
  group: SessionGroup,
  { client, root }: Asker & { readonly root: string },
) {
  const { stopped, starter } = group;
  return {
    sessionId: group.id,
    sessionName: group.root.name,
    adapterType: group.root.type,
    startedByYou: starter?.client === client,
    paused: stopped !== undefined,
    ...(stopped === undefined ? {} : { reason: stopped.stop.reason }),
    ...(stopped === undefined ? {} : await placeOf(debug, group, root)),
  };
}

async function placeOf(debug: Debugger, group: SessionGroup, root: string) {
  try {
    const { member, frame } = await topFrame(group);
    const threads = await threadsOf(group);
    const { column: _column, ...place } = frameFacts(debug, root, member, frame);
    return { ...place, threads: threads.length };
  } catch (error) {
    // It has run on meanwhile.
    if (error instanceof AppError) return {};
    throw error;
  }
}
