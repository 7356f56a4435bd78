import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import type { Progress } from '@devdb/shared/protocol';
import type { ParamsOf, ResultOf } from '@devdb/shared/protocol/method';
import { explainForPerson } from '@devdb/shared/protocol/plan-methods';
import {
  arrangeRows,
  closeResult,
  copyRows,
  databaseChoices,
  exportForPerson,
  exportResult,
  readCell,
  readRows,
  runForPerson,
  schemaNames,
} from '@devdb/shared/protocol/result-methods';
import { exportQuery } from '@devdb/shared/tools/database/export-query';
import { getOverview } from '@devdb/shared/tools/database/get-overview';
import { fromWire } from '@devdb/shared/wire-error';
import type { Editor } from '../dispatch/editor.ts';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import { copyRows as copy } from '../results/copy-rows.ts';
import { FIRST_ROWS } from '../results/limits.ts';
import type { PersonResults } from '../results/person-results.ts';
import { RowsNews } from '../results/rows-news.ts';
import { wholeCell } from '../results/whole-cell.ts';
import { personPlan } from '../tools/explain-for-person.ts';
import { personExport } from '../tools/export-for-person.ts';
import { personQuery } from '../tools/run-for-person.ts';
import { editAnswers } from './edit-answers.ts';
import { KeptRuns } from './kept-runs.ts';
import { type CallerFor, personCaller } from './person-caller.ts';
import { databasesOf } from './project-databases.ts';
import type { QueryHistory } from './query-history.ts';
import type { WindowProjects } from './window-projects.ts';

export interface ResultAnswersParts {
  readonly projects: Pick<WindowProjects, 'find' | 'bookOf'>;
  readonly results: PersonResults;
  readonly editor: Editor;
  readonly history: Pick<QueryHistory, 'add'>;
}

/** What the editor's person runs, and the rows of it. */
export function resultAnswers(parts: ResultAnswersParts): readonly PipeAnswer[] {
  const { projects, results, editor, history } = parts;
  const callerFor = personCaller(editor);
  const person = new Person(parts, callerFor);
  const runs = new KeptRuns(history, (root) => projects.find(root).root);
  return [
    ...editAnswers({ projects, results, callerFor }),
    pipeAnswer(runForPerson, (params, signal) => runs.keep(params, () => person.run(params, signal))),
    pipeAnswer(readRows, async ({ result, order, from, count }, signal) => {
      const found = results.find(result);
      return { rows: await found.page(order, from, count, signal), places: await found.places(order, from, count) };
    }),
    pipeAnswer(readCell, async ({ result, order, row, column }, signal) =>
      wholeCell((await results.find(result).row(order, row, signal))[column] ?? null),
    ),
    pipeAnswer(arrangeRows, ({ result, sort, filters }, signal) => results.find(result).arrange(sort, filters, signal)),
    pipeAnswer(copyRows, ({ result, ...request }, signal) => copy(results.find(result), request, signal)),
    pipeAnswer(databaseChoices, async ({ root }, signal) => {
      const { connections } = await databasesOf(projects, root, signal);
      return {
        databases: connections.map(({ id, name, type, target, isDefault }) => ({ id, name, type, target, isDefault })),
      };
    }),
    pipeAnswer(exportForPerson, (params, signal) => person.export(params, signal)),
    pipeAnswer(exportResult, (params, signal) => person.exportResult(params, signal)),
    pipeAnswer(schemaNames, (params, signal) => person.names(params, signal)),
    pipeAnswer(explainForPerson, (params, signal) => person.explain(params, signal)),
    pipeAnswer(closeResult, async ({ result }) => {
      await results.close(result);
      return {};
    }),
  ];
}

type PersonOutcome = ResultOf<typeof runForPerson> & { readonly databaseId: string };

/** The person at the editor, as a caller of the gate. */
class Person {
  readonly #projects: Pick<WindowProjects, 'find'>;
  readonly #results: PersonResults;
  readonly #editor: Editor;
  readonly #callerFor: CallerFor;

  constructor({ projects, results, editor }: ResultAnswersParts, callerFor: CallerFor) {
    this.#projects = projects;
    this.#results = results;
    this.#editor = editor;
    this.#callerFor = callerFor;
  }

  async run(
    { result: name, root, connection, query }: ParamsOf<typeof runForPerson>,
    signal: AbortSignal,
  ): Promise<PersonOutcome> {
    const { gate } = this.#projects.find(root);
    const told = () => ({ result: name, rows: result.rows, columns: [...result.columns] });
    const news = new RowsNews({
      first: async () => {
        const first = await result.page(0, 0, FIRST_ROWS, result.closed);
        this.#editor.rowsArrived({ ...told(), first });
      },
      more: () => this.#editor.rowsArrived(told()),
    });
    const result = await this.#results.create(name, () => news.changed(result.rows > 0));
    try {
      const input = { result: name, query, ...(connection === undefined ? {} : { connection }) };
      const envelope = await gate.run(
        personQuery.name,
        input,
        this.#callerFor(AbortSignal.any([signal, result.closed])),
      );
      if (!envelope.ok) throw fromWire(envelope.error);
      const { stopped, rows, columns } = result;
      const outcome = { rows, columns: [...columns], ...personQuery.output.parse(envelope.data) };
      return stopped === undefined ? outcome : { ...outcome, stopped };
    } finally {
      // Also after a failure and a cancel: the rows so far can be read, sorted and copied.
      await news.end();
      result.complete();
    }
  }

  async explain(
    { root, ...input }: ParamsOf<typeof explainForPerson>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof explainForPerson>> {
    const envelope = await this.#projects.find(root).gate.run(personPlan.name, input, this.#callerFor(signal));
    if (!envelope.ok) throw fromWire(envelope.error);
    return personPlan.output.parse(envelope.data);
  }

  async names(
    { root, connection }: ParamsOf<typeof schemaNames>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof schemaNames>> {
    const input = connection === undefined ? {} : { connection };
    const envelope = await this.#projects.find(root).gate.run(getOverview.name, input, this.#callerFor(signal));
    if (!envelope.ok) throw fromWire(envelope.error);
    const { tables } = getOverview.output.parse(envelope.data);
    return { tables: tables.map(({ name, columns }) => ({ name, columns })) };
  }

  async export(
    { call, root, connection, query, path, format }: ParamsOf<typeof exportForPerson>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof exportForPerson>> {
    const input = {
      query,
      path,
      format,
      timeoutMs: MAX_QUERY_TIMEOUT_MS,
      ...(connection === undefined ? {} : { connection }),
    };
    const written = exportQuery.output.parse(await this.#export(exportQuery.name, { call, root }, input, signal));
    return { path: written.path, rows: written.rows };
  }

  async exportResult(
    { call, root, ...input }: ParamsOf<typeof exportResult>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof exportResult>> {
    return personExport.output.parse(await this.#export(personExport.name, { call, root }, input, signal));
  }

  async #export(
    tool: string,
    { call, root }: { readonly call: string; readonly root: string },
    input: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const caller = {
      ...this.#callerFor(signal),
      progress: (progress: Progress) => this.#editor.progress(call, progress),
    };
    const envelope = await this.#projects.find(root).gate.run(tool, input, caller);
    if (!envelope.ok) throw fromWire(envelope.error);
    return envelope.data;
  }
}
