import { AppError } from '@devdb/shared/errors';
import {
  applyChanges,
  previewChanges,
  relatedRows,
  resultTable,
  tableCondition,
} from '@devdb/shared/protocol/edit-methods';
import { fromWire } from '@devdb/shared/wire-error';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import type { PersonResults } from '../results/person-results.ts';
import { personChange, personTable } from '../tools/edit-for-person.ts';
import type { CallerFor } from './person-caller.ts';
import type { WindowProjects } from './window-projects.ts';

export interface EditAnswersParts {
  readonly projects: Pick<WindowProjects, 'find'>;
  readonly results: PersonResults;
  readonly callerFor: CallerFor;
}

/** What the editor's person changes in the rows of a result. */
export function editAnswers({ projects, results, callerFor }: EditAnswersParts): readonly PipeAnswer[] {
  /** Runs a tool of the person's for a result, through the gate, and ends it with the result. */
  const run = async (
    root: string,
    tool: string,
    input: { readonly result: string; readonly changes?: unknown },
    signal: AbortSignal,
  ) => {
    const caller = callerFor(AbortSignal.any([signal, results.find(input.result).closed]));
    const envelope = await projects.find(root).gate.run(tool, input, caller);
    if (!envelope.ok) throw fromWire(envelope.error);
    return envelope.data;
  };
  const readTable = async (root: string, result: string, signal: AbortSignal): Promise<void> => {
    try {
      await run(root, personTable.name, { result }, signal);
    } catch (error) {
      // One of the server's own tables, or a name that may mean several: nothing of it is edited.
      if (!(error instanceof AppError) || error.code !== 'E_UNKNOWN_TABLE') throw error;
    }
  };
  return [
    pipeAnswer(resultTable, async ({ result, root }, signal) => {
      await readTable(root, result, signal);
      return results.find(result).edits.facts;
    }),
    pipeAnswer(tableCondition, async ({ result, root, filters }, signal) => {
      await readTable(root, result, signal);
      return { condition: results.find(result).edits.condition(filters) };
    }),
    pipeAnswer(previewChanges, async ({ result, changes }, signal) => {
      const statements = await results.find(result).edits.statements(changes, signal);
      return { statements: statements.map(({ change, sql }) => ({ change, sql })) };
    }),
    pipeAnswer(applyChanges, async ({ result, root, changes }, signal) => {
      const { database: connection } = results.find(result).edits.source;
      const done = personChange.output.parse(await run(root, personChange.name, { result, changes }, signal));
      return { ...done, connection };
    }),
    pipeAnswer(relatedRows, async ({ result, row, column, which }, signal) => {
      const { edits } = results.find(result);
      return { query: await edits.related(which, row, column, signal), connection: edits.source.database };
    }),
  ];
}
