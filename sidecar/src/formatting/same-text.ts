import type { Reading, SqlReader } from '../engines/sql-reader.ts';
import { beginsLine } from './formattable.ts';
import { withoutBlanks } from './reflow.ts';

/**
 * Whether two texts mean the same to a server, however it is set up, and to the tools that send them: the same tokens
 * and comments, the same statements, and the same lines that a tool takes for its own.
 */
export async function isSameText(reader: SqlReader, before: string, after: string): Promise<boolean> {
  if (withoutBlanks(before) !== withoutBlanks(after)) return false;
  const [readBefore, readAfter] = [await reader.readings(before), await reader.readings(after)];
  const isSame = readBefore.every((reading, at) => {
    const other = readAfter[at];
    return other !== undefined && isSameReading(reading, other, [before, after], reader.clientWord);
  });
  return isSame && (await statements(reader, before)) === (await statements(reader, after));
}

function isSameReading(
  one: Reading,
  other: Reading,
  [before, after]: readonly [string, string],
  clientWord: RegExp,
): boolean {
  if (!one.ok || !other.ok) return one.ok === other.ok;
  if (one.tokens.length !== other.tokens.length) return false;
  let end = 0;
  let otherEnd = 0;
  return one.tokens.every((token, at) => {
    const same = other.tokens[at];
    if (same === undefined || same.text !== token.text || same.kind !== token.kind) return false;
    const gap = withoutBlanks(before.slice(end, token.start));
    const otherGap = withoutBlanks(after.slice(otherEnd, same.start));
    end = token.end;
    otherEnd = same.end;
    if (gap !== otherGap) return false;
    return !clientWord.test(token.text) || beginsLine(before, token.start) === beginsLine(after, same.start);
  });
}

async function statements(reader: SqlReader, sql: string): Promise<string> {
  return (await reader.split(sql)).map(({ start, end }) => withoutBlanks(sql.slice(start, end))).join('\n');
}
