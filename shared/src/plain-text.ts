declare const plainMark: unique symbol;

/**
 * One line in which every character is visible and in reading order. Everything shown to a person or a model has this
 * type: names, paths and sentences from a repository, a server or a client go through the functions below.
 */
export type PlainText = string & { readonly [plainMark]: true };

declare const linesMark: unique symbol;

/** Lines that are each plain: a question, or a statement in its frame. */
export type PlainLines = string & { readonly [linesMark]: true };

const MAX_NAME_CHARS = 64;
/** A text is examined up to this multiple of its cap. */
const BOUND = 16;
const MAX_LABEL_CHARS = 24;
const MAX_ID_CHARS = 72;
const MAX_PATH_CHARS = 512;
const MAX_VALUE_CHARS = 200;
const MAX_SENTENCE_CHARS = 4_000;

const ASCII = /^[ -~]*$/;
/** More spaces in a row than anybody writes on purpose. */
const VOID = / {8,}/g;

/** A name chosen by others: of a database, a table, a tool, a client. */
export function nameText(name: string): PlainText {
  return shortened(name, MAX_NAME_CHARS, cutEnd);
}

/** The same where there is little room. */
export function labelText(name: string): PlainText {
  return shortened(name, MAX_LABEL_CHARS, cutEnd);
}

/** A name inside one of our sentences: in quotes when it could be read as part of the sentence. */
export function quoted(name: PlainText): PlainText {
  if (/^[\p{L}\p{N}\p{M}_./:@+-]+$/u.test(name)) return name;
  return sure(`"${name.replaceAll('"', "'")}"`);
}

/** A database's id in its project: where it was found, and its name. */
export function idText(id: string): PlainText {
  return shortened(id, MAX_ID_CHARS, cutMiddle);
}

/** A path, a host or an address. When shortened it keeps both ends: where it starts and what it points to. */
export function pathText(path: string): PlainText {
  return shortened(path, MAX_PATH_CHARS, cutMiddle);
}

/** A value as JSON, so that its start and end are visible. */
export function valueText(value: unknown): PlainText {
  return shortened(JSON.stringify(value) ?? String(value), MAX_VALUE_CHARS, cutTold);
}

/** A sentence from a server, a driver or another program, in any language. */
export function sentenceText(sentence: string): PlainText {
  return sure(cutSentence(seen(bounded(sentence, MAX_SENTENCE_CHARS)), MAX_SENTENCE_CHARS, sentence.length));
}

/** One of our own sentences, around parts that are already plain. */
export function plain(literals: TemplateStringsArray, ...parts: readonly (PlainText | number)[]): PlainText {
  return sure(literals.reduce((text, literal, at) => `${text}${parts[at - 1] ?? ''}${literal}`));
}

/** Plain texts, joined with our own words. */
export function joined(texts: readonly PlainText[], between: PlainText = plain`, `): PlainText {
  return sure(texts.join(between));
}

/** Whether a text is already plain. */
export function isPlain(text: string): text is PlainText {
  return ASCII.test(text) || !patterns().unseen.test(text.replace(patterns().allEmoji, ' '));
}

/** Lines below each other; an empty one where a text is empty. */
export function linesOf(lines: readonly (PlainText | PlainLines | '')[]): PlainLines {
  return sureLines(lines.join('\n'));
}

/** Lines from a text in which nothing is hidden any more. */
export function sureLines(text: string): PlainLines {
  if (isPlainLines(text)) return text;
  throw notPlain(text);
}

/** Whether each line of a text is already plain. */
export function isPlainLines(text: string): text is PlainLines {
  return text.split('\n').every(isPlain);
}

/** A text of several lines, with each invisible character replaced by `show` of its number: U+202E. */
export function withUnseenShown(text: string, show: (number: string) => string): string {
  if (ASCII.test(text)) return text;
  return text.replace(patterns().emojiOrUnseen, (char, emoji?: string) => {
    if (char === '\n' || char === '\t') return char;
    return emoji ?? show(numberOf(char));
  });
}

/** JSON of the same meaning that every terminal and line reader takes for one line. */
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

/** The functions above make plain text; anything else is a bug and must not be shown. */
function sure(text: string): PlainText {
  if (isPlain(text)) return text;
  throw notPlain(text);
}

function notPlain(text: string): Error {
  return new Error(`Not plain: ${JSON.stringify(text)}`);
}

/** Shortens a text to `most` characters; `total` was its length before. */
type Cut = (text: string, most: number, total: number) => string;

function shortened(text: string, most: number, cut: Cut): PlainText {
  const line = seen(bounded(text, most));
  if (line === '') return plain`(empty)`;
  const { body, mark } = withMark(line);
  if (fits(`${body}${mark}`, most)) return sure(`${body}${mark}`);
  for (let room = most - mark.length; ; room -= 1) {
    const short = cut(body, room, text.length);
    // When the suspicious letters were cut out, no mark is needed.
    const whole = `${short}${markOf(short)}`;
    if (fits(whole, most)) return sure(whole);
  }
}

/** Separates a text from the mark it already has, so that it does not get a second one. */
function withMark(line: string): { readonly body: string; readonly mark: string } {
  const body = line.slice(0, Math.max(0, line.lastIndexOf(' [')));
  const mark = markOf(body);
  return mark !== '' && `${body}${mark}` === line ? { body, mark } : { body: line, mark: markOf(line) };
}

/** A text far longer than what is shown is not examined as a whole: a name may be as long as a file. */
function bounded(text: string, most: number): string {
  if (text.length <= BOUND * most) return text;
  const half = (BOUND / 2) * most;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

/** One line, with each invisible character replaced by its number. */
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
      // A combining mark at the start would attach to the text before it.
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

/** The length of a sentence in JSON, where its reader gets it. */
function unitsIn(text: string): number {
  return text.length;
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _char of text) length += 1;
  return length;
}

/** As much of the start as fits, in whole characters as a person sees them. */
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
  // The window may start in the middle of a character; that one is dropped.
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

/** Scripts commonly mixed in one text. */
const USUAL_SCRIPTS: readonly string[] = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul'];

/** The Unicode patterns take longer to compile than a small process to start, so they are compiled on first use. */
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
    // Characters that are invisible, reorder others or control a terminal.
    unseen:
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]|(?! )\p{Zs}/u,
    breaks: /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]|(?! )\p{Zs}/gu,
    // An emoji with its modifiers and the ones joined to it.
    allEmoji:
      /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|[0-9#*]\ufe0f\u20e3/gu,
    emojiOrUnseen:
      /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|[0-9#*]\ufe0f\u20e3)|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]|(?! )\p{Zs}/gu,
    // Written languages put up to three marks on a letter; more of them spill over the neighbouring lines.
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

/** Phonetic letters, and strokes that look like a slash or a colon. */
const LOOK_ALIKE =
  /[\u01c0-\u01c3\u0250-\u0258\u025a-\u02af\u02d0\u1d00-\u1dbf\u2044\u2215\u2236\ua720-\ua7ff\uab30-\uab6f]/u;
const MEANT = /[…²³¹ªº™½¼¾]/gu;
const MAX_KINDS_NAMED = 3;

/** A note for the reader about letters that are easily confused with others; '' when all are usual. */
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

/** Characters that look like ASCII: wide, bold or small forms. */
function hasLookAlike(text: string): boolean {
  if (LOOK_ALIKE.test(text)) return true;
  const chars = new Set(text.replace(MEANT, ''));
  return [...chars].some((char) => !ASCII.test(char) && /^[!-~]+$/.test(char.normalize('NFKC')));
}

/** A note for a person about a text shown letter by letter; undefined when its letters are all usual. */
export function letterNote(text: string): PlainText | undefined {
  const kinds = kindsOf(text);
  return kinds === '' ? undefined : sentenceText(kinds);
}
