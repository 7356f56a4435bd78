import { AppError } from '@devdb/shared/errors';
import { plain } from '@devdb/shared/plain-text';
import { browse } from '@devdb/shared/protocol/browse-methods';
import * as z from 'zod';
import type { Editor } from '../dispatch/editor.ts';
import type { Gate } from '../dispatch/gate.ts';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';

export interface BrowseAnswersParts {
  readonly editor: Pick<Editor, 'ask'>;
  readonly gateOf: (root: string) => Gate;
}

/** Lets the person at the editor look through the databases: calls like those of agents, with that person as caller. */
export function browseAnswers({ editor, gateOf }: BrowseAnswersParts): readonly PipeAnswer[] {
  return [
    pipeAnswer(browse, async ({ root, tool, input }, signal) => {
      const envelope = await gateOf(root).run(tool, input, {
        door: 'editor',
        clientId: 'editor',
        clientName: plain`you, in the DevDB view`,
        signal,
        progress: () => undefined,
        ask: (question, asking) => editor.ask(question, asking),
      });
      if (envelope.ok) return { data: z.json().parse(envelope.data) };
      const { code, message, hint, details } = envelope.error;
      throw new AppError(code, message, { hint, details });
    }),
  ];
}
