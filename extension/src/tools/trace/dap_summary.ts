import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { countsOf, eventFacts, healthOf, printed } from '../../debug/recording.ts';
import { recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapSummary: Handler<'dap_summary', EditorContext> = async (input, context) => {
  const recording = recordingOf(await context.debug(), context.root, input.sessionId);
  const facts = { session: recording.session, counts: countsOf(recording), health: healthOf(recording) };
  if (input.compact) return { ...facts, truncated: false };
  const telling = recording.events.filter(({ kind }) => kind === 'exception' || kind === 'failed').slice(-5);
  const samples = [...telling, ...printed(recording).slice(-5)].map((event) => eventFacts(recording, event));
  const { kept, ...cut } = cappedList(samples, {
    bytes: bytesFor(undefined),
    more: 'See dap_logs and dap_exceptions.',
  });
  return { ...facts, samples: [...kept], ...cut };
};
