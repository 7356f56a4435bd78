import { randomUUID } from 'node:crypto';
import { plain } from '@devdb/shared/plain-text';
import type { Caller } from '../dispatch/caller.ts';
import type { Editor } from '../dispatch/editor.ts';

/** The person at the editor as a caller of the gate, for one call. */
export type CallerFor = (signal: AbortSignal) => Caller;

/** The client's id is random, or an agent could name the person and use what they said yes to. */
export function personCaller(editor: Pick<Editor, 'ask'>): CallerFor {
  const clientId = randomUUID();
  return (signal) => ({
    door: 'editor',
    clientId,
    clientName: plain`you`,
    signal,
    progress: () => undefined,
    ask: editor.ask.bind(editor),
  });
}
