import { TERMINAL_HEAD_BYTES, TERMINAL_TAIL_BYTES } from './limits.ts';

/** What a command wrote, as far as it is kept. */
export interface KeptOutput {
  readonly text: string;
  readonly truncated: boolean;
}

/** A line without an end is cut into pieces of this length, so that it takes no more memory. */
const MAX_LINE_CHARS = 16_384;
/** An escape sequence that does not end is none. */
const MAX_SEQUENCE_CHARS = 65_536;

/** Escape sequences, whole: of a terminal (CSI), of an operating system (OSC, DCS and such, up to their end), and short ones. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal understands
  /^(?:\u001b\[|\u009b)([\u0030-\u003f]*)[\u0020-\u002f]*([\u0040-\u007e])|^(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|\u001b(?!\\))|^\u001b[\u0020-\u002f]*[\u0030-\u004f\u0051-\u0057\u0059\u005a\u005c\u0060-\u007e]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal understands
const CONTROL = /[\u0000-\u0009\u000a-\u001f\u007f-\u009f]/;

/** Makes readable text of what a program writes to a terminal, piece by piece, in memory that does not grow. */
export class TerminalOutput {
  readonly #kept = new HeadAndTail(TERMINAL_HEAD_BYTES, TERMINAL_TAIL_BYTES);
  /** The beginning of a sequence whose end has not come yet. */
  #pending = '';
  #line = '';
  #column = 0;

  push(data: string): void {
    let rest = this.#pending + data;
    this.#pending = '';
    while (rest !== '') {
      const at = rest.search(CONTROL);
      this.#write(at === -1 ? rest : rest.slice(0, at));
      if (at === -1) return;
      const taken = this.#control(rest.slice(at));
      if (taken === 0) {
        this.#pending = rest.slice(at);
        return;
      }
      rest = rest.slice(at + taken);
    }
  }

  read(): KeptOutput {
    return this.#kept.with(this.#line);
  }

  /** How many characters it took; none while a sequence lacks its end. */
  #control(text: string): number {
    const first = text.charCodeAt(0);
    if (first === 0x1b || first >= 0x80) return this.#sequence(text);
    if (first === 0x0a) this.#endLine();
    else if (first === 0x0d) this.#column = 0;
    else if (first === 0x08) this.#column = Math.max(0, this.#column - 1);
    else if (first === 0x09) this.#write('\t');
    return 1;
  }

  #sequence(text: string): number {
    const found = SEQUENCE.exec(text);
    if (found === null) return isBegun(text) ? 0 : 1;
    const [whole, parameters = '', final] = found;
    if (final === 'K') this.#erase(parameters);
    if (final === 'C') this.#moveRight(Number(parameters) || 1);
    if (final === 'D') this.#column = Math.max(0, this.#column - (Number(parameters) || 1));
    if (final === 'G') this.#moveTo((Number(parameters) || 1) - 1);
    // What ended a string begins the next sequence.
    return whole.endsWith('\u001b') && whole.length > 1 ? whole.length - 1 : whole.length;
  }

  #write(text: string): void {
    for (let rest = text; rest !== ''; ) {
      const room = MAX_LINE_CHARS - this.#column;
      const piece = rest.slice(0, room);
      const before = this.#line.slice(0, this.#column).padEnd(this.#column);
      this.#line = `${before}${piece}${this.#line.slice(this.#column + piece.length)}`;
      this.#column += piece.length;
      rest = rest.slice(piece.length);
      if (this.#column < MAX_LINE_CHARS) continue;
      this.#kept.add(this.#line);
      this.#line = '';
      this.#column = 0;
    }
  }

  #endLine(): void {
    this.#kept.add(`${this.#line.trimEnd()}\n`);
    this.#line = '';
    this.#column = 0;
  }

  #erase(parameters: string): void {
    if (parameters === '2') this.#line = '';
    else if (parameters === '1') this.#line = this.#line.slice(this.#column).padStart(this.#line.length);
    else this.#line = this.#line.slice(0, this.#column);
  }

  #moveRight(columns: number): void {
    this.#moveTo(this.#column + columns);
  }

  #moveTo(column: number): void {
    this.#column = Math.min(Math.max(0, column), MAX_LINE_CHARS - 1);
  }
}

/** Whether more of the text may make it a sequence. */
function isBegun(text: string): boolean {
  if (text.length > MAX_SEQUENCE_CHARS) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginnings of the sequences above
  return /^(?:\u001b|(?:\u001b\[|\u009b)[\u0020-\u003f]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*|\u001b[\u0020-\u002f]+)$/.test(
    text,
  );
}

/** The first and the last bytes of a text that may be endless, in whole characters. */
class HeadAndTail {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head: string[] = [];
  #headSize = 0;
  readonly #tail: string[] = [];
  #tailSize = 0;
  #dropped = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes;
    this.#tailBytes = tailBytes;
  }

  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#tail.length === 0 && this.#headSize + bytes <= this.#headBytes) {
      this.#head.push(text);
      this.#headSize += bytes;
      return;
    }
    this.#tail.push(text);
    this.#tailSize += bytes;
    while (this.#tail.length > 1 && this.#tailSize > this.#tailBytes) {
      const gone = Buffer.byteLength(this.#tail.shift() ?? '');
      this.#tailSize -= gone;
      this.#dropped += gone;
    }
  }

  /** With the line that has not ended yet. */
  with(line: string): KeptOutput {
    const tail = Buffer.from(`${this.#tail.join('')}${line.trimEnd()}`);
    const over = Math.max(0, tail.length - this.#tailBytes);
    const start = startOfCharacter(tail, over);
    const dropped = this.#dropped + start;
    const end = tail.toString('utf8', start);
    if (dropped === 0) return { text: `${this.#head.join('')}${end}`, truncated: false };
    const told = `[... ${dropped} bytes of the output are not shown; write it to a file to read all of it ...]`;
    const head = this.#head.join('');
    const gap = head === '' || head.endsWith('\n') ? '' : '\n';
    return { text: `${head}${gap}${told}\n${end}`, truncated: true };
  }
}

function startOfCharacter(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
