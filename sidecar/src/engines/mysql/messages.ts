import { MAX_MESSAGE_CHARS, MAX_MESSAGES } from '../limits.ts';
import type { ServerConnection } from './connection.ts';

/** The warnings and notes of the last statement, each as `Warning 1265: ...`. */
export async function warningsOf(connection: ServerConnection): Promise<string[]> {
  const messages: string[] = [];
  await connection.run(`SHOW WARNINGS LIMIT ${MAX_MESSAGES}`, {
    row: (cells) => {
      const [level = '', code = '', text = ''] = cells.map((cell) => cell?.toString('utf8') ?? '');
      messages.push(`${level} ${code}: ${text}`.slice(0, MAX_MESSAGE_CHARS));
    },
  });
  return messages;
}

/** A change may match more rows than it changes: some already had the new values. */
export function matchedMessage(info: string, changed: number | undefined): string[] {
  const matched = /Rows matched: (\d+)/.exec(info)?.[1];
  if (matched === undefined || changed === undefined || Number(matched) === changed) return [];
  const found = matched === '1' ? '1 row' : `${matched} rows`;
  return [`${found} matched, ${changed} changed; what matched and did not change had these values already.`];
}
