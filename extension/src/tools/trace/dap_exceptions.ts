import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { eventFacts, exceptionsOf, printedBefore } from '../../debug/recording.ts';
import { recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapExceptions: Handler<'dap_exceptions', EditorContext> = async (input, context) => {
  const recording = recordingOf(await context.debug(), context.root, input.sessionId);
  const { count, withContext, contextLines } = input;
  const all = exceptionsOf(recording);
  const facts = all.toReversed().map((event) => ({
    ...eventFacts(recording, event),
    ...(withContext ? { before: printedBefore(recording, event, contextLines) } : {}),
  }));
  const budget = { limit: count, bytes: bytesFor(undefined), more: 'The latest come first; pass a larger count.' };
  const { kept, ...cut } = cappedList(facts, budget);
  return { exceptions: [...kept], totalExceptions: all.length, session: recording.session, ...cut };
};
