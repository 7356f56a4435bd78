// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_CONFIG_FILE_BYTES } from '@devdb/shared/limits';
import fc from 'fast-check';
import { DETECTION_MEMORY_MB } from '../src/detection/limits.ts';
import { READERS, type ReaderAnswer, type ReaderJob } from './helpers/readers-child.ts';

const SMALL = 4 * 1024;
/** For the largest file that is read: linear readers take a fraction of it, quadratic ones minutes. */
const LIMIT_MS = 8_000;
/** Wall time, for a reader that never ends. */
const HANGS_MS = 60_000;
const FIXTURES = join(import.meta.dirname, '../../fixtures/projects');

/** Feeds readers in a process with the memory limit of detection; kills it when it hangs. */
class Feeder {
  #child: ChildProcess | undefined;

  async feed(job: ReaderJob): Promise<ReaderAnswer> {
    this.#child ??= fork(join(import.meta.dirname, 'helpers/readers-child.ts'), {
      execArgv: [`--max-old-space-size=${DETECTION_MEMORY_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const child = this.#child;
    const { promise, resolve } = Promise.withResolvers<ReaderAnswer>();
    const hangs = setTimeout(() => resolve({ ms: HANGS_MS, thrown: 'it does not end' }), HANGS_MS);
    const onExit = (code: number | null, signal: string | null): void =>
      resolve({ ms: 0, thrown: `the process ended with ${signal ?? code}` });
    child.once('message', resolve);
    child.once('exit', onExit);
    child.send(job);
    const answer = await promise;
    clearTimeout(hangs);
    child.off('message', resolve).off('exit', onExit);
    if (answer.ms === HANGS_MS || answer.thrown?.startsWith('the process ended')) this.end();
    return answer;
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

const feeder = new Feeder();
afterAll(() => feeder.end());

/** A sentence when a reader throws, hangs or takes too long on a text. */
async function wrongWith(reader: string, text: string): Promise<string | undefined> {
  const { ms, thrown } = await feeder.feed({ reader, text });
  if (thrown === undefined && ms <= LIMIT_MS) return undefined;
  return `${reader}: ${thrown ?? `${Math.round(ms)} ms`} on ${text.length} characters: ${JSON.stringify(text.slice(0, 200))}`;
}

/** Tokens of the settings' languages. */
const TOKENS = [
  ...[
    'a',
    '1',
    '-',
    ' ',
    '\n',
    '\t',
    '"',
    "'",
    '`',
    '\\',
    '\\\n',
    '$',
    '${a',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '=',
    ':',
  ],
  ...[
    ';',
    ',',
    '.',
    '/',
    '//',
    '/*',
    '*/',
    '#',
    '<%',
    '%>',
    '|',
    '&a ',
    '*a ',
    '? ',
    '!',
    '@',
    '%',
    '- ',
    'a: ',
    '<<: ',
    '"""',
  ],
  ...[
    'a = ',
    '=> ',
    'a(',
    '\u0000',
    '\u00e9',
    '\r',
    '--',
    '$$',
    'begin ',
    'end ',
    'if a:\n ',
    'datasource a {\n',
    '<a b="',
    '<<A\n',
  ],
];

/** Every pair of these is tried. */
const PAIRED = [...'a -\n"\'\\${[(<=:;,/#*', '&a ', '*a ', '- ', 'a = '];

/** The start of a program in a file with other content. */
const BEGINNINGS: Readonly<Record<string, string>> = { php: '<?php ', 'xml of a plan': '<a>' };

function pumped(reader: string, unit: string, length: number): string {
  const begin = BEGINNINGS[reader] ?? '';
  return begin + unit.repeat(Math.ceil((length - begin.length) / unit.length)).slice(0, length - begin.length);
}

/** Small texts that expand to large or deep ones. */
const BOMBS: Readonly<Record<string, string>> = {
  'aliases of aliases in YAML': doubling(
    (n, before) => `a${n}: &a${n} [*a${before}, *a${before}, *a${before}]`,
    'a0: &a0 [x]',
  ),
  'merged maps in YAML': doubling(
    (n, before) => `a${n}: &a${n} {<<: [*a${before}, *a${before}], b${n}: *a${before}}`,
    'a0: &a0 {x: 1}',
  ),
  'variables of variables': doubling(
    (n, before) => `A${n}="\${A${before}}\${A${before}}$A${before}"`,
    'A0=xxxxxxxxxxxxxxxx',
  ),
  'values of values in JavaScript': doubling(
    (n, before) => `const a${n} = a${before} + a${before} + a${before}`,
    "const a0 = 'xxxxxxxxxxxxxxxx'",
  ),
  'holes of holes in JavaScript': doubling(
    (n, before) => `const a${n} = \`\${a${before}}\${a${before}}\``,
    "const a0 = 'xxxxxxxxxxxxxxxx'",
  ),
  'values of values in Python': doubling(
    (n, before) => `a${n} = a${before} + a${before} + a${before}`,
    "a0 = 'xxxxxxxxxxxxxxxx'",
  ),
  'spread objects': doubling(
    (n, before) => `const a${n} = {...a${before}, ...a${before}, b${n}: a${before}}`,
    'const a0 = {x: 1}',
  ),
  'assigned objects': doubling(
    (n, before) => `const a${n} = Object.assign({}, a${before}, a${before}, {b${n}: a${before}})`,
    'const a0 = {x: 1}',
  ),
  'conditions before what is spread': doubling(
    (n, before) => `const a${n} = {...(a${before}.x && a${before}), ...(a${before}.y && a${before})}`,
    'const a0 = {x: 1}',
  ),
  'checked environments': doubling(
    (n, before) => `const a${n} = z.object({...a${before}, b: a${before}}).parse(process.env)`,
    'const a0 = z.object({x: z.string()})',
  ),
  'stages of stages': doubling(
    (n, before) => `FROM s${before} AS s${n}\nENV A${n}=$A${before}$A${before}`,
    'FROM x AS s0',
  ),
  'heredocs without an end': 'RUN <<A\n'.repeat(40_000),
  'deep brackets': '['.repeat(60_000) + ']'.repeat(60_000),
  'deep braces': 'a = ' + '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000),
  'deep parentheses': 'a = ' + '('.repeat(60_000) + ')'.repeat(60_000),
  'deep indentation': Array.from({ length: 700 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  'deep holes': 'a = ' + '`${'.repeat(30_000) + '}`'.repeat(30_000),
  'deep defaults': 'A=' + '${A:-'.repeat(40_000) + '}'.repeat(40_000),
  'deep elements': '<a>'.repeat(40_000) + '</a>'.repeat(40_000),
  'deep minus': 'a = ' + '-'.repeat(200_000) + '1',
  'a long chain': 'a = ' + 'b.'.repeat(80_000) + 'c',
  'a long sum': 'a = ' + 'b + '.repeat(60_000) + 'c',
  'a long choice': 'a = ' + 'b ? c : '.repeat(30_000) + 'd',
  'a self reference': 'a = a\nb = c\nc = b\nA=${B}\nB=${A}\n',
};

function doubling(line: (n: number, before: number) => string, first: string): string {
  return [first, ...Array.from({ length: 60 }, (_, at) => line(at + 1, at))].join('\n');
}

const ORIGINALS = filesIn(FIXTURES).map((file) => readFileSync(file, 'utf8').slice(0, 8_000));

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.(db|sqlite3?)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

type Damage = {
  readonly at: number;
  readonly length: number;
  readonly words: readonly string[];
  readonly copies: number;
};

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(8_000),
  length: fc.nat(40),
  words: fc.array(fc.constantFrom(...TOKENS), { maxLength: 5 }),
  copies: fc.integer({ min: 0, max: 4 }),
});

/** A sample project's settings file with pieces removed, inserted and duplicated. */
const damaged = fc
  .tuple(fc.constantFrom(...ORIGINALS), fc.array(damage, { minLength: 1, maxLength: 8 }))
  .map(([text, all]) =>
    all.reduce((now, { at, length, words, copies }) => {
      const place = now.length === 0 ? 0 : at % now.length;
      const piece = now.slice(place, place + length).repeat(copies);
      return now.slice(0, place) + piece + words.join('') + now.slice(place + length);
    }, text),
  );

describe.each(Object.keys(READERS))('the reader of %s', (reader) => {
  it('takes linear time, whatever is repeated in the text', async () => {
    const units = [...TOKENS, ...PAIRED.flatMap((one) => PAIRED.map((other) => one + other))];
    const times: { unit: string; ms: number }[] = [];
    const wrong: string[] = [];
    for (const unit of units) {
      const { ms, thrown } = await feeder.feed({ reader, text: pumped(reader, unit, SMALL) });
      if (thrown !== undefined) wrong.push(`${JSON.stringify(unit)}: ${thrown}`);
      times.push({ unit, ms });
    }
    expect(wrong).toEqual([]);
    for (const { unit } of times.sort((a, b) => b.ms - a.ms).slice(0, 4)) {
      expect(await wrongWith(reader, pumped(reader, unit, MAX_CONFIG_FILE_BYTES))).toBeUndefined();
    }
  }, 240_000);

  it('neither throws nor hangs on a soup of its tokens', async () => {
    const soup = fc.array(fc.constantFrom(...TOKENS), { maxLength: 300 }).map((words) => words.join(''));
    const property = fc.asyncProperty(soup, async (text) => {
      expect(await wrongWith(reader, (BEGINNINGS[reader] ?? '') + text)).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 150 });
  }, 120_000);

  it('neither throws nor hangs on damaged settings', async () => {
    const property = fc.asyncProperty(damaged, async (text) => {
      expect(await wrongWith(reader, text)).toBeUndefined();
    });
    await fc.assert(property, { numRuns: 100 });
  }, 120_000);

  it.each(Object.entries(BOMBS))('does not blow up on %s', async (_what, text) => {
    expect(await wrongWith(reader, text)).toBeUndefined();
  });
});
