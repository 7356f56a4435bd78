import type { CopyForm } from '@devdb/shared/protocol/result-methods';
import { cellsOf } from './cells.ts';
import { COPY_WRITERS } from './copy-text.ts';
import { MAX_COPY_CHARS } from './limits.ts';
import { type PersonResult, tooLong } from './person-result.ts';

export interface CopyRequest {
  readonly order: number;
  readonly from: number;
  readonly count: number;
  readonly columns: readonly number[];
  readonly form: CopyForm;
  readonly heads: boolean;
}

/** Rows as text, whole rows only, up to what a clipboard can be asked to take. */
export async function copyRows(result: PersonResult, request: CopyRequest, signal: AbortSignal) {
  const { order, from, count, form, heads } = request;
  const places = request.columns;
  const columns = places.map((place) => result.columns[place] ?? { name: '' });
  const writer = COPY_WRITERS[form]({ columns, heads, literals: result.literals });
  const texts: string[] = [];
  let chars = 0;
  let isCut = false;
  for await (const { line } of result.lines(order, from, count, signal)) {
    const cells = cellsOf(line);
    if (cells === undefined) throw tooLong();
    const text = writer.row(places.map((place) => cells[place] ?? null));
    chars += text.length;
    isCut = chars > MAX_COPY_CHARS;
    if (isCut) break;
    texts.push(text);
  }
  return { text: writer.head + texts.join(writer.between) + writer.end, rows: texts.length, isCut };
}
