import type { Caps, RowSet } from '../../engine.ts';
import { jsonClasses } from '../../json-cell.ts';
import { LineBuffer } from '../../line-buffer.ts';
import { RowSetBuilder } from '../../row-set.ts';
import { fillRowsHead, ROWS_HEAD_BYTES } from '../frames.ts';

const NO_ROWS: Caps = { rows: 0, bytes: 0, cellBytes: 0 };

/** The one buffer for answers with rows, including the frame: a row's bytes are written once and never copied. */
export class RowsReply {
  readonly #lines = new LineBuffer();
  readonly #classes = jsonClasses();

  /** Takes the rows of the next answer. Leftovers of a failed answer are discarded. */
  begin(caps: Caps): RowSetBuilder {
    this.#lines.take();
    this.#lines.reserve(ROWS_HEAD_BYTES);
    return new RowSetBuilder(caps, this.#lines, this.#classes);
  }

  /** The finished frame, valid until the next `begin`. */
  finish(
    rows: RowSetBuilder,
    columns: RowSet['columns'],
    extra: Pick<RowSet, 'affectedRows' | 'messages'> = {},
  ): Buffer {
    const rowsBytes = rows.end();
    this.#lines.text(JSON.stringify({ columns, ...rows.facts(), ...extra }));
    const frame = this.#lines.take();
    fillRowsHead(frame, rowsBytes);
    return frame;
  }

  /** The frame of a statement without rows. */
  withoutRows(extra: Pick<RowSet, 'affectedRows'>): Buffer {
    return this.finish(this.begin(NO_ROWS), [], extra);
  }
}
