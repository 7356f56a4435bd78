import { forgetStatements, queryHistory } from '@devdb/shared/protocol/history-methods';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import type { QueryHistory } from './query-history.ts';

export interface HistoryAnswersParts {
  readonly history: QueryHistory;
  /** The root by which a project is known. */
  readonly rootOf: (root: string) => string;
}

/** What the editor asks about the statements that its user ran. */
export function historyAnswers({ history, rootOf }: HistoryAnswersParts): readonly PipeAnswer[] {
  return [
    pipeAnswer(queryHistory, async ({ root }) => ({ statements: history.list(rootOf(root)) })),
    pipeAnswer(forgetStatements, async ({ root, id }) => {
      history.forget(rootOf(root), id);
      return {};
    }),
  ];
}
