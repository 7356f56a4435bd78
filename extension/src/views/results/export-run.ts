import { randomUUID } from 'node:crypto';
import { AppError } from '@devdb/shared/errors';
import { GATE_GRACE_MS, MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import { exportForPerson, exportResult } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { ArrangedRows } from './page-messages.ts';
import type { PersonRun } from './person-run.ts';

const ENDING = /\.(?:csv|jsonl)$/i;
/** Longer than the gate's own deadline, which is the one that counts. */
const EXPORT_LIMIT_MS = MAX_QUERY_TIMEOUT_MS + GATE_GRACE_MS;

/** Writes rows to a file of the project: those on show where they are sorted or filtered, else all of the statement. */
export async function exportRun(run: PersonRun, arranged: ArrangedRows | undefined): Promise<void> {
  const how = arranged && arrangedText(run, arranged);
  const path = await vscode.window.showInputBox({
    title: 'Export to which new file of the project?',
    value: 'exports/rows.csv',
    prompt: forEditor(plain`${promptOf(run, arranged, how)} The ending says the format: .csv or .jsonl.`),
    validateInput: (given) => (ENDING.test(given) ? undefined : 'The name has to end with .csv or .jsonl.'),
  });
  if (path === undefined) return;
  const { client } = run;
  const { root, connection, query } = run.runnable;
  const target = { call: randomUUID(), root, path, format: /csv$/i.test(path) ? 'csv' : 'jsonl' } as const;
  const write = (options: { readonly signal: AbortSignal; readonly timeoutMs: number }) =>
    arranged === undefined
      ? client.call(exportForPerson, { ...target, query, ...(connection === undefined ? {} : { connection }) }, options)
      : client.call(exportResult, { ...target, result: run.id, order: arranged.order }, options);
  const shown = { location: vscode.ProgressLocation.Notification, title: 'DevDB: exporting', cancellable: true };
  await vscode.window.withProgress(shown, async (report, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => cancel.abort());
    const unhear = client.hearProgress(target.call, ({ message }) =>
      report.report(message === undefined ? {} : { message }),
    );
    try {
      const options = { signal: cancel.signal, timeoutMs: EXPORT_LIMIT_MS };
      const { path: file, rows } = await write(options);
      const what = how === undefined ? rowsText(rows) : plain`${rowsText(rows)}, ${how},`;
      void vscode.window.showInformationMessage(forEditor(plain`Exported ${what} to ${pathText(file)}.`));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'E_CANCELLED') void vscode.window.showErrorMessage(forEditor(sentenceText(error.message)));
    } finally {
      unhear();
    }
  });
}

function arrangedText({ shown }: PersonRun, { sort, isFiltered }: ArrangedRows): PlainText {
  if (sort === undefined) return plain`filtered`;
  const name = nameText(shown.columns[sort.column]?.name ?? '');
  const sorted = sort.descending ? plain`sorted by ${name}, descending` : plain`sorted by ${name}`;
  return isFiltered ? plain`filtered and ${sorted}` : sorted;
}

/** Where the rows of the file come from. */
function promptOf(run: PersonRun, arranged: ArrangedRows | undefined, how: PlainText | undefined): PlainText {
  if (arranged === undefined || how === undefined) return plain`The statement runs once more.`;
  const shown = plain`Writes the ${rowsText(arranged.rows)} on show, ${how}; the statement does not run again.`;
  return run.isComplete ? shown : plain`${shown} It has more rows, which were not read.`;
}

function rowsText(rows: number): PlainText {
  return rows === 1 ? plain`1 row` : plain`${rows} rows`;
}
