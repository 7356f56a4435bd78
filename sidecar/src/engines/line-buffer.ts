import { encodeNumber } from './values.ts';

const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const FIRST_BYTES = 128 * 1024;
/** From this length on, the runtime's own function copies faster than a loop over the bytes. */
const SHORT_TEXT = 100;
const UTF8_BYTES_PER_UNIT = 3;
const MOST_SMALL = 2 ** 31 - 1;
/** Below this, cents are small integers. */
const MOST_CENTS = 20_000_000;

/** Numbers with up to this many digits are exact, and in their shortest form. */
const EXACT_CHARACTERS = 15;
/** JavaScript writes numbers below a millionth with an exponent. */
const SMALL_DECIMALS = 6;

const ASCII = 0x80;

/** For each ASCII character, as bits, what a short text containing it needs. */
export type Classes = Uint8Array;
const PLAIN: number = 0;
const QUOTED = 1;
const SPECIAL = 2;

/** A table of classes: the given characters, SPECIAL for everything beyond ASCII, PLAIN for the rest. */
export function classesOf(quoted: string, special: string): Classes {
  const classes = new Uint8Array(ASCII).fill(PLAIN);
  for (const character of quoted) classes[character.charCodeAt(0)] = QUOTED;
  for (const character of special) classes[character.charCodeAt(0)] = SPECIAL;
  return classes;
}

/**
 * The bytes of a file being written. It determines the speed of an export: writing bytes is twice as fast as joining
 * strings and encoding them.
 */
export class LineBuffer {
  readonly #firstBytes: number;
  #bytes: Buffer;
  #length = 0;

  constructor(firstBytes: number = FIRST_BYTES) {
    this.#firstBytes = firstBytes;
    this.#bytes = Buffer.allocUnsafe(firstBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written since the last call; valid until the next write. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    // Room made for a huge cell is not kept for small ones.
    if (this.#bytes.length > this.#firstBytes) this.#bytes = Buffer.allocUnsafe(this.#firstBytes);
    return taken;
  }

  /** Room to be filled in when the bytes are taken. */
  reserve(bytes: number): void {
    this.#room(bytes);
    this.#length += bytes;
  }

  /** Discards what was written after this length. */
  cutTo(length: number): void {
    this.#length = length;
  }

  byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Bytes made earlier, a few at a time. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    const target = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < bytes.length; i += 1) target[at++] = bytes[i] ?? 0;
    this.#length = at;
  }

  /** Any text, as UTF-8. */
  text(text: string): void {
    this.#room(text.length * UTF8_BYTES_PER_UNIT);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** A text, quoted if it has QUOTED characters. Returns false and writes nothing for long and SPECIAL ones. */
  bare(text: string, classes: Classes): boolean {
    const found = this.#copy(text, classes, 0);
    if (found >= SPECIAL) return false;
    const end = this.#length + text.length;
    if (found === PLAIN) {
      this.#length = end;
      return true;
    }
    const bytes = this.#bytes;
    for (let at = end; at > this.#length; at -= 1) bytes[at] = bytes[at - 1] ?? 0;
    bytes[this.#length] = QUOTE;
    bytes[end + 1] = QUOTE;
    this.#length = end + 2;
    return true;
  }

  /** A text in quotes. Returns false and writes nothing for long and SPECIAL ones. */
  quoted(text: string, classes: Classes): boolean {
    if (this.#copy(text, classes, 1) >= SPECIAL) return false;
    this.#bytes[this.#length] = QUOTE;
    this.#bytes[this.#length + text.length + 1] = QUOTE;
    this.#length += text.length + 2;
    return true;
  }

  /** The same for bytes that are already UTF-8. */
  quotedBytes(text: Uint8Array, classes: Classes): boolean {
    const { length } = text;
    if (length > SHORT_TEXT) return false;
    this.#room(length + 2);
    const bytes = this.#bytes;
    const start = this.#length + 1;
    let found = PLAIN;
    for (let i = 0; i < length; i += 1) {
      const byte = text[i] ?? 0;
      if (byte < ASCII) found |= classes[byte] ?? SPECIAL;
      bytes[start + i] = byte;
    }
    if (found >= SPECIAL) return false;
    bytes[this.#length] = QUOTE;
    bytes[start + length] = QUOTE;
    this.#length += length + 2;
    return true;
  }

  /**
   * A number's text unchanged, where JavaScript would write the same digits without an exponent. Returns false and
   * writes nothing for long ones (from sixteen digits on a number may have another shortest text) and for other forms.
   */
  numeral(text: string): boolean {
    const { length } = text;
    if (length > EXACT_CHARACTERS) return false;
    this.#room(length);
    const bytes = this.#bytes;
    let units = 0;
    for (let i = 0; i < length; i += 1) {
      const unit = text.charCodeAt(i);
      units |= unit;
      bytes[this.#length + i] = unit;
    }
    // A byte keeps only the lower half of a character: that of `\u0131` is the digit 1.
    return units < ASCII && this.#keepNumeral(length);
  }

  /** The same for a text given as bytes. */
  numeralBytes(text: Uint8Array): boolean {
    const { length } = text;
    if (length > EXACT_CHARACTERS) return false;
    this.#room(length);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i += 1) bytes[this.#length + i] = text[i] ?? 0;
    return this.#keepNumeral(length);
  }

  #keepNumeral(length: number): boolean {
    if (!isNumeral(this.#bytes, this.#length, this.#length + length)) return false;
    this.#length += length;
    return true;
  }

  /** Copies a short text after the end, leaving room for two quotes, and returns the classes of its characters. */
  #copy(text: string, classes: Classes, offset: number): number {
    const { length } = text;
    if (length > SHORT_TEXT) return SPECIAL;
    this.#room(length + 2);
    const bytes = this.#bytes;
    const start = this.#length + offset;
    let found = PLAIN;
    for (let i = 0; i < length; i += 1) {
      const unit = text.charCodeAt(i);
      found |= unit < ASCII ? (classes[unit] ?? SPECIAL) : SPECIAL;
      bytes[start + i] = unit;
    }
    return found;
  }

  /** A safe integer. */
  integer(value: number): void {
    if (value >= 0 && value <= MOST_SMALL) this.#small(value);
    else this.text(String(value));
  }

  /** A number as JSON writes it; those JSON lacks by name. */
  number(value: number): void {
    if (!this.#cents(value)) this.text(String(encodeNumber(value)));
  }

  /**
   * Numbers with at most two decimals are common, and the general way to write them is slow. With so few digits they
   * are already the shortest form: no two decimals of up to 15 digits mean the same number.
   */
  #cents(value: number): boolean {
    const size = Math.abs(value);
    if (!(size > 0 && size < MOST_CENTS)) return false;
    const cents = Math.round(size * 100);
    if (cents / 100 !== size) return false;
    if (value < 0) this.byte(MINUS);
    const whole = Math.floor(cents / 100);
    this.#small(whole);
    const rest = cents - whole * 100;
    if (rest === 0) return true;
    this.#room(3);
    const tens = Math.floor(rest / 10);
    this.#bytes[this.#length++] = POINT;
    this.#bytes[this.#length++] = ZERO + tens;
    if (rest !== tens * 10) this.#bytes[this.#length++] = ZERO + rest - tens * 10;
    return true;
  }

  /** The digits of an integer from 0 to MOST_SMALL. */
  #small(value: number): void {
    this.#room(10);
    let rest = value;
    let at = this.#length + digitCount(value);
    this.#length = at;
    const bytes = this.#bytes;
    while (rest >= 10) {
      const tenth = (rest / 10) | 0;
      bytes[--at] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    bytes[--at] = ZERO + rest;
  }

  #room(bytes: number): void {
    const need = this.#length + bytes;
    if (need <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(need, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function digitCount(value: number): number {
  let count = 1;
  for (let most = 10; value >= most; most *= 10) count += 1;
  return count;
}

/** Whether bytes are digits with at most one point, without superfluous zeros. */
function isNumeral(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  if (first >= end) return false;
  if (bytes[first] === ZERO && !isZeroFine(bytes, start, first, end)) return false;
  let points = 0;
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === POINT) points += 1;
    else if (byte < ZERO || byte > NINE) return false;
  }
  if (points === 0) return true;
  const last = bytes[end - 1];
  return points === 1 && bytes[first] !== POINT && last !== ZERO && last !== POINT;
}

/** A leading zero must stand alone, or before a point and decimals that are not too small. */
function isZeroFine(bytes: Uint8Array, start: number, first: number, end: number): boolean {
  if (end - first === 1) return start === first;
  if (bytes[first + 1] !== POINT) return false;
  const from = first + 2;
  for (let at = from; at < end && at < from + SMALL_DECIMALS; at += 1) if (bytes[at] !== ZERO) return true;
  return false;
}
