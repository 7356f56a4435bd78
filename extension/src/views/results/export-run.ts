import { plain, sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { PersonRun } from './person-run.ts';

const ENDINGS = /\.(csv|jsonl)$/i;
/** The longest that export-query takes. */
const EXPORT_LIMIT_MS = 600_000;

/** Writes all rows of a statement to a file of the project, by the tool that agents use for it. */
export async function exportRun({ client, runnable }: Pick<PersonRun, 'client' | 'runnable'>): Promise<void> {
  const path = await vscode.window.showInputBox({
    title: 'Export to which new file of the project?',
    value: 'exports/rows.csv',
    prompt: 'The statement runs once more. The ending says the format: .csv or .jsonl.',
    validateInput: (given) => (ENDINGS.test(given) ? undefined : 'The name has to end with .csv or .jsonl.'),
  });
  const format = path === undefined ? undefined : ENDINGS.exec(path)?.[1]?.toLowerCase();
  if (format === undefined) return;
  const { root, connection, query } = runnable;
  const input = {
    query,
    path,
    format,
    timeoutMs: EXPORT_LIMIT_MS,
    ...(connection === undefined ? {} : { connection }),
  };
  const progress = { location: vscode.ProgressLocation.Notification, title: 'DevDB: exporting', cancellable: true };
  const answer = await vscode.window.withProgress(progress, async (report, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => cancel.abort());
    return client.runTool({
      root,
      tool: 'export-query',
      input,
      signal: cancel.signal,
      progress: ({ message }) => report.report(message === undefined ? {} : { message }),
    });
  });
  const text = answer.ok ? plain`Exported. ${sentenceText(answer.text)}` : sentenceText(answer.text);
  void vscode.window.showInformationMessage(forEditor(text));
}
