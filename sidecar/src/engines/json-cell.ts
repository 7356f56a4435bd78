import { type Classes, classesOf, type LineBuffer } from './line-buffer.ts';
import { type DriverValue, encodeCell, encodeInteger, type OnCut } from './values.ts';

const CONTROL_CHARACTERS = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code));
const [NULL, TRUE, FALSE] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')];

/** The classes of characters in JSON strings. Build the table once and keep it. */
export function jsonClasses(): Classes {
  return classesOf('', `"\\${CONTROL_CHARACTERS}`);
}

/** Writes one cell as the JSON of `encodeCell`'s result, without building that. */
export function writeJsonCell(
  target: LineBuffer,
  value: DriverValue,
  classes: Classes,
  maxBytes: number,
  onCut: OnCut,
): void {
  if (typeof value === 'string') {
    if (value.length > maxBytes || !target.quoted(value, classes))
      target.text(JSON.stringify(encodeCell(value, maxBytes, onCut)));
  } else if (typeof value === 'bigint') {
    const integer = encodeInteger(value);
    if (typeof integer === 'number') target.integer(integer);
    else target.text(`"${integer}"`);
  } else if (typeof value === 'number' && Number.isFinite(value) && value !== 0) {
    target.number(value);
  } else if (value === null) {
    target.raw(NULL);
  } else if (typeof value === 'boolean') {
    target.raw(value ? TRUE : FALSE);
  } else {
    target.text(JSON.stringify(encodeCell(value, maxBytes, onCut)));
  }
}
