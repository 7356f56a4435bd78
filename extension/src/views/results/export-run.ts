import { randomUUID } from 'node:crypto';
import { AppError } from '@devdb/shared/errors';
import { GATE_GRACE_MS, MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import { exportForPerson } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { PersonRun } from './person-run.ts';

const ENDING = /\.(?:csv|jsonl)$/i;
/** Longer than the gate's own deadline, which is the one that counts. */
const EXPORT_LIMIT_MS = MAX_QUERY_TIMEOUT_MS + GATE_GRACE_MS;

/** Writes all rows of a statement to a file of the project. */
export async function exportRun({ client, runnable }: Pick<PersonRun, 'client' | 'runnable'>): Promise<void> {
  const path = await vscode.window.showInputBox({
    title: 'Export to which new file of the project?',
    value: 'exports/rows.csv',
    prompt: 'The statement runs once more. The ending says the format: .csv or .jsonl.',
    validateInput: (given) => (ENDING.test(given) ? undefined : 'The name has to end with .csv or .jsonl.'),
  });
  if (path === undefined) return;
  const { root, connection, query } = runnable;
  const call = randomUUID();
  const format = /csv$/i.test(path) ? 'csv' : 'jsonl';
  const params = { call, root, query, path, format, ...(connection === undefined ? {} : { connection }) } as const;
  const shown = { location: vscode.ProgressLocation.Notification, title: 'DevDB: exporting', cancellable: true };
  await vscode.window.withProgress(shown, async (report, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => cancel.abort());
    const unhear = client.hearProgress(call, ({ message }) => report.report(message === undefined ? {} : { message }));
    try {
      const options = { signal: cancel.signal, timeoutMs: EXPORT_LIMIT_MS };
      const { path: file, rows } = await client.call(exportForPerson, params, options);
      const text = plain`Exported ${rows} ${rows === 1 ? plain`row` : plain`rows`} to ${pathText(file)}.`;
      void vscode.window.showInformationMessage(forEditor(text));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'E_CANCELLED') void vscode.window.showErrorMessage(forEditor(sentenceText(error.message)));
    } finally {
      unhear();
    }
  });
}
