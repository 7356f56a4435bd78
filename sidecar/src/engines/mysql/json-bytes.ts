import { jsonClasses, writeJsonCell } from '../json-cell.ts';
import type { WriteCell } from '../raw-lines.ts';
import { neverCut } from '../row-lines.ts';
import { cellReader, type Field, isNumeral, isText } from './values.ts';

/** Writers of cells for JSON lines, from the server's bytes. They produce the same as a query's answer. */
export function jsonWriters(): (field: Field) => WriteCell<Buffer> {
  const classes = jsonClasses();
  return (field) => {
    const read = cellReader(field);
    const byValue: WriteCell<Buffer> = (target, bytes) =>
      writeJsonCell(target, read(bytes), classes, Number.POSITIVE_INFINITY, neverCut);
    if (isNumeral(field)) {
      return (target, bytes) => {
        if (!target.numeralBytes(bytes)) byValue(target, bytes);
      };
    }
    if (!isText(field)) return byValue;
    return (target, bytes) => {
      if (!target.quotedBytes(bytes, classes)) byValue(target, bytes);
    };
  };
}
