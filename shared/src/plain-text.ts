declare const plainMark: unique symbol;

/**
 * One line in which everything can be seen and stands in the order it is read. What is shown to a person or a model is of
 * this type: names, paths and sentences that a repository, a server or a client wrote become it by the makers below.
 */
export type PlainText = string & { readonly [plainMark]: true };

declare const linesMark: unique symbol;

/** Lines that are each plain: a question, a statement in its frame. */
export type PlainLines = string & { readonly [linesMark]: true };

const MAX_NAME_CHARS = 64;
/** So many times its cap of a text is looked at. */
const BOUND = 16;
const MAX_LABEL_CHARS = 24;
const MAX_ID_CHARS = 72;
const MAX_PATH_CHARS = 512;
const MAX_VALUE_CHARS = 200;
const MAX_SENTENCE_CHARS = 4_000;

const ASCII = /^[ -~]*$/;
/** More blanks than may be meant. */
const VOID = / {8,}/g;

/** A name that somebody else gave: of a database, a table, a tool, a client. */
export function nameText(name: string): PlainText {
  return shortened(name, MAX_NAME_CHARS, cutEnd);
}

/** The same where there is little room. */
export function labelText(name: string): PlainText {
  return shortened(name, MAX_LABEL_CHARS, cutEnd);
}

/** A name in the middle of a sentence of ours: one that reads like more of the sentence stands in quotes. */
export function quoted(name: PlainText): PlainText {
  if (/^[\p{L}\p{N}\p{M}_./:@+-]+$/u.test(name)) return name;
  return sure(`"${name.replaceAll('"', "'")}"`);
}

/** What a database of a project goes by: where it was found, and a name. */
export function idText(id: string): PlainText {
  return shortened(id, MAX_ID_CHARS, cutMiddle);
}

/** A path, a host or an address. Both ends are shown: where it begins and what it leads to. */
export function pathText(path: string): PlainText {
  return shortened(path, MAX_PATH_CHARS, cutMiddle);
}

/** A value as JSON, so that its ends can be told. */
export function valueText(value: unknown): PlainText {
  return shortened(JSON.stringify(value) ?? String(value), MAX_VALUE_CHARS, cutTold);
}

/** A sentence of a server, a driver or another program. It may be in any language. */
export function sentenceText(sentence: string): PlainText {
  return sure(cutSentence(seen(bounded(sentence, MAX_SENTENCE_CHARS)), MAX_SENTENCE_CHARS, sentence.length));
}

/** A sentence of our own around what is plain already. */
export function plain(literals: TemplateStringsArray, ...parts: readonly (PlainText | number)[]): PlainText {
  return sure(literals.reduce((text, literal, at) => `${text}${parts[at - 1] ?? ''}${literal}`));
}

/** Texts that are plain already, with words of our own between them. */
export function joined(texts: readonly PlainText[], between: PlainText = plain`, `): PlainText {
  return sure(texts.join(between));
}

/** Whether a text is plain as it stands. */
export function isPlain(text: string): text is PlainText {
  return ASCII.test(text) || !patterns().unseen.test(text.replace(patterns().allEmoji, ' '));
}

/** Lines below each other; an empty one where a text is empty. */
export function linesOf(lines: readonly (PlainText | PlainLines | '')[]): PlainLines {
  return sureLines(lines.join('\n'));
}

/** A text in which nothing is hidden any more, as lines. */
export function sureLines(text: string): PlainLines {
  if (isPlainLines(text)) return text;
  throw notPlain(text);
}

/** Whether each line of a text is plain as it stands. */
export function isPlainLines(text: string): text is PlainLines {
  return text.split('\n').every(isPlain);
}

/** A text of several lines with each character that cannot be seen put as `show` has it, by its number: U+202E. */
export function withUnseenShown(text: string, show: (number: string) => string): string {
  if (ASCII.test(text)) return text;
  return text.replace(patterns().emojiOrUnseen, (char, emoji?: string) => {
    if (char === '\n' || char === '\t') return char;
    return emoji ?? show(numberOf(char));
  });
}

/** JSON text of the same meaning, which no terminal and no reader of lines takes for anything but one line. */
export function plainJson(json: string): string {
  if (ASCII.test(json)) return json;
  return json.replace(patterns().emojiOrUnseen, (char, emoji?: string) => emoji ?? unitsOf(char));
}

function unitsOf(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function numberOf(char: string): string {
  return `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What a maker made is plain; anything else is a defect of ours, which must not be shown. */
function sure(text: string): PlainText {
  if (isPlain(text)) return text;
  throw notPlain(text);
}

function notPlain(text: string): Error {
  return new Error(`Not plain: ${JSON.stringify(text)}`);
}

/** Makes a text shorter, to so many characters at most; it had `total` before. */
type Cut = (text: string, most: number, total: number) => string;

function shortened(text: string, most: number, cut: Cut): PlainText {
  const line = seen(bounded(text, most));
  if (line === '') return plain`(empty)`;
  const { body, mark } = withMark(line);
  if (fits(`${body}${mark}`, most)) return sure(`${body}${mark}`);
  for (let room = most - mark.length; ; room -= 1) {
    const short = cut(body, room, text.length);
    // What was cut out needs no mark.
    const whole = `${short}${markOf(short)}`;
    if (fits(whole, most)) return sure(whole);
  }
}

/** A text that has its mark already keeps the one. */
function withMark(line: string): { readonly body: string; readonly mark: string } {
  const body = line.slice(0, Math.max(0, line.lastIndexOf(' [')));
  const mark = markOf(body);
  return mark !== '' && `${body}${mark}` === line ? { body, mark } : { body: line, mark: markOf(line) };
}

/** What is longer by far than can be shown is not looked through: a name may be as long as a file. */
function bounded(text: string, most: number): string {
  if (text.length <= BOUND * most) return text;
  const half = (BOUND / 2) * most;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

/** On one line, each character that cannot be seen by its number. */
function seen(text: string): string {
  const line = ASCII.test(text)
    ? text
    : withoutStacks(numberedUnseen(text.normalize('NFC').replace(patterns().breaks, ' ')));
  return line.trim().replace(VOID, (run) => ` [${run.length} blanks] `);
}

function numberedUnseen(text: string): string {
  return withUnseenShown(text, (number) => `[${number}]`);
}

function withoutStacks(text: string): string {
  return (
    text
      .replace(patterns().stacked, (_whole, kept: string, more: string) => `${kept}[${[...more].length} marks]`)
      // A mark that stands first would sit on what is written before it.
      .replace(patterns().firstMarks, (_whole, marks: string) =>
        [...marks].map((mark) => `[${numberOf(mark)}]`).join(''),
      )
  );
}

function cutEnd(text: string, most: number): string {
  return `${headOf(text, most - 1)}…`;
}

function cutMiddle(text: string, most: number): string {
  const half = Math.floor((most - 1) / 2);
  return `${headOf(text, half)}…${tailOf(text, half)}`;
}

function cutTold(text: string, most: number, total: number): string {
  const half = Math.floor((most - 60) / 2);
  const [head, tail] = [headOf(text, half), tailOf(text, half)];
  return `${head} [... ${total - head.length - tail.length} characters are not shown ...] ${tail}`;
}

function cutSentence(text: string, most: number, total: number): string {
  if (text.length <= most && total <= BOUND * most) return text;
  return `${headOf(text, most - 40, unitsIn)}… (${total} characters)`;
}

function fits(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && lengthOf(text) <= most);
}

/** Sentences are counted as their reader gets them, in JSON. */
function unitsIn(text: string): number {
  return text.length;
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _char of text) length += 1;
  return length;
}

/** As much of its beginning as has room, in whole characters as a person sees them. */
function headOf(text: string, room: number, sizeOf = lengthOf): string {
  let head = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    length += sizeOf(segment);
    if (length > room) break;
    head += segment;
  }
  return head.trimEnd();
}

function tailOf(text: string, room: number): string {
  // Where the window begins, a character may be cut in two: that one is left out.
  const window = text.slice(-4 * room);
  const segments = [...new Intl.Segmenter().segment(window)].slice(window.length < text.length ? 1 : 0);
  let tail = '';
  let length = 0;
  for (const { segment } of segments.reverse()) {
    length += lengthOf(segment);
    if (length > room) break;
    tail = `${segment}${tail}`;
  }
  return tail.trimStart();
}

/** Scripts that are written together. */
const USUAL_SCRIPTS: readonly string[] = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul'];

/** The patterns that know Unicode take longer to make than a small process to start: made when first needed. */
function makePatterns() {
  const scripts: readonly (readonly [name: string, letter: RegExp])[] = [
    ['Latin', /\p{Script=Latin}/u],
    ['Han', /\p{Script=Han}/u],
    ['Hiragana', /\p{Script=Hiragana}/u],
    ['Katakana', /\p{Script=Katakana}/u],
    ['Bopomofo', /\p{Script=Bopomofo}/u],
    ['Hangul', /\p{Script=Hangul}/u],
    ['Cyrillic', /\p{Script=Cyrillic}/u],
    ['Greek', /\p{Script=Greek}/u],
    ['Armenian', /\p{Script=Armenian}/u],
    ['Georgian', /\p{Script=Georgian}/u],
    ['Cherokee', /\p{Script=Cherokee}/u],
    ['Hebrew', /\p{Script=Hebrew}/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Syriac', /\p{Script=Syriac}/u],
    ['Thaana', /\p{Script=Thaana}/u],
    ['Ethiopic', /\p{Script=Ethiopic}/u],
    ['Devanagari', /\p{Script=Devanagari}/u],
    ['Bengali', /\p{Script=Bengali}/u],
    ['Tamil', /\p{Script=Tamil}/u],
    ['Thai', /\p{Script=Thai}/u],
    ['Khmer', /\p{Script=Khmer}/u],
    ['Mongolian', /\p{Script=Mongolian}/u],
  ];
  return {
    // What cannot be seen, turns the order of others around, or steers a terminal.
    unseen:
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]|(?! )\p{Zs}/u,
    breaks: /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]|(?! )\p{Zs}/gu,
    // A picture and what belongs to it: its colour, its joiner to the next one.
    allEmoji:
      /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|[0-9#*]\ufe0f\u20e3/gu,
    emojiOrUnseen:
      /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|[0-9#*]\ufe0f\u20e3)|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]|(?! )\p{Zs}/gu,
    // Written languages put up to three marks on a letter; more of them cover the lines around.
    stacked: /(\p{M}{3})(\p{M}+)/gu,
    firstMarks: /^\s*(\p{M}+)/u,
    scripts,
    otherLetter:
      /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Cherokee}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Ethiopic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}\p{Script=Khmer}\p{Script=Mongolian}\p{Script=Common}\p{Script=Inherited}])\p{L}/u,
    otherDigit: /(?![0-9])\p{Nd}/u,
  };
}

let made: ReturnType<typeof makePatterns> | undefined;

function patterns(): ReturnType<typeof makePatterns> {
  made ??= makePatterns();
  return made;
}

/** Letters that phonetics has, and strokes that look like a slash or a colon. */
const LOOK_ALIKE =
  /[\u01c0-\u01c3\u0250-\u0258\u025a-\u02af\u02d0\u1d00-\u1dbf\u2044\u2215\u2236\ua720-\ua7ff\uab30-\uab6f]/u;
const MEANT = /[…²³¹ªº™½¼¾]/gu;
const MAX_KINDS_NAMED = 3;

/** What a reader has to know of the letters, since other letters look like them; '' when they are usual ones. */
function markOf(text: string): string {
  const kinds = kindsOf(text);
  return kinds === '' ? '' : ` [${kinds}]`;
}

function kindsOf(text: string): string {
  if (ASCII.test(text)) return '';
  const found = patterns()
    .scripts.filter(([, pattern]) => pattern.test(text))
    .map(([name]) => name);
  if (patterns().otherLetter.test(text)) found.push('other letters');
  const kinds = found.every((name) => USUAL_SCRIPTS.includes(name)) ? [] : found;
  if (hasLookAlike(text)) kinds.push('look-alikes');
  if (patterns().otherDigit.test(text)) kinds.push('other digits');
  return kinds.length > MAX_KINDS_NAMED ? `${kinds.length} kinds of letters` : kinds.join(' + ');
}

/** Characters that are drawn like those of ASCII: wide, bold, small ones. */
function hasLookAlike(text: string): boolean {
  if (LOOK_ALIKE.test(text)) return true;
  const chars = new Set(text.replace(MEANT, ''));
  return [...chars].some((char) => !ASCII.test(char) && /^[!-~]+$/.test(char.normalize('NFKC')));
}

/** What a person has to know of a text that is shown letter by letter; undefined when its letters are usual ones. */
export function letterNote(text: string): PlainText | undefined {
  const kinds = kindsOf(text);
  return kinds === '' ? undefined : sentenceText(kinds);
}
