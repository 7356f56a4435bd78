import { readerAlone } from '../engines/readers.ts';
import { answerAsThread } from '../host/thread.ts';
import { formatText } from './format-text.ts';
import type { FormatRequest } from './in-thread.ts';
import { layOut } from './lay-out.ts';

void answerAsThread(async ({ kind, text, part, indent }: FormatRequest) => {
  const laidOut = async (statements: readonly string[]) => layOut({ kind, statements, indent });
  return formatText(await readerAlone(kind), text, part, laidOut);
});
