import { AppError } from '@devdb/shared/errors';
import { MAX_SQL_BYTES } from '@devdb/shared/limits';
import { formatStatements } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';

/** Longer than the sidecar gives its formatter. */
const FORMAT_LIMIT_MS = 40_000;
const MOST_INDENT = 16;

export interface FormatRequest {
  readonly client: SidecarClient;
  readonly root: string;
  readonly connection: string | undefined;
  readonly document: vscode.TextDocument;
  /** Only the statements that it touches; undefined for all. */
  readonly range: vscode.Range | undefined;
  readonly options: vscode.FormattingOptions;
}

/** The edits that format statements in the dialect of their database; none where the text has changed meanwhile. */
export async function formatEdits(
  { client, root, connection, document, range, options }: FormatRequest,
  signal: AbortSignal,
): Promise<vscode.TextEdit[]> {
  const { version } = document;
  const text = document.getText();
  if (Buffer.byteLength(text) > MAX_SQL_BYTES) {
    throw new AppError('E_FILE_TOO_LARGE', 'Nothing was formatted: the file is larger than 1 MiB.');
  }
  const params = {
    root,
    ...(connection === undefined ? {} : { connection }),
    text,
    from: range === undefined ? 0 : document.offsetAt(range.start),
    to: range === undefined ? text.length : document.offsetAt(range.end),
    indent: { size: Math.min(MOST_INDENT, Math.max(1, options.tabSize)), tabs: !options.insertSpaces },
  };
  const { edits } = await client.call(formatStatements, params, { signal, timeoutMs: FORMAT_LIMIT_MS });
  if (document.version !== version) return [];
  return edits.map(({ start, end, text: lines }) => {
    const place = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return vscode.TextEdit.replace(place, lines);
  });
}
