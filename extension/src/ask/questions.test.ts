import { framed } from '@devdb/shared/plain-sight';
import { linesOf, nameText, plain } from '@devdb/shared/plain-text';
import type { Answer, Question } from '@devdb/shared/protocol';
import * as fc from 'fast-check';
import { questionPage } from './question-page.ts';
import { Questions } from './questions.ts';
import { escapeHtml, shownText, visibleHtml } from './shown-text.ts';

const never = new AbortController().signal;

function asking() {
  const open: { readonly question: Question; readonly signal: AbortSignal; readonly say: (answer: Answer) => void }[] =
    [];
  const questions = new Questions((question, signal) => new Promise((say) => open.push({ question, signal, say })));
  const ask = (title: string, signal = never) =>
    questions.ask({ title: nameText(title), message: linesOf([plain`m`]) }, signal);
  return { open, ask, titles: () => open.map(({ question }) => question.title) };
}

async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('questions', () => {
  test('are shown one at a time, each with its own answer', async () => {
    const { open, ask, titles } = asking();
    const first = ask('a');
    const second = ask('b');
    await turns();
    expect(titles()).toEqual(['a']);
    open[0]?.say('session');
    await expect(first).resolves.toBe('session');
    await turns();
    expect(titles()).toEqual(['a', 'b']);
    open[1]?.say('no');
    await expect(second).resolves.toBe('no');
  });

  test('whose call has ended take no answer, and are not shown if they still wait', async () => {
    const { open, ask, titles } = asking();
    const [shown, waiting] = [new AbortController(), new AbortController()];
    const first = ask('a', shown.signal);
    const second = ask('b', waiting.signal);
    const third = ask('c');
    const ended = [first, second].map((it) => expect(it).rejects.toMatchObject({ code: 'E_CANCELLED' }));
    await turns();
    waiting.abort();
    await turns();
    expect(titles()).toEqual(['a']);
    shown.abort();
    await Promise.all(ended);
    open[0]?.say('once');
    await turns();
    expect(titles()).toEqual(['a', 'c']);
    open[1]?.say('once');
    await expect(third).resolves.toBe('once');
  });
});

describe('a statement', () => {
  test('that is short is shown unchanged', () => {
    expect(shownText('DELETE FROM users\nWHERE id = 1')).toEqual({
      head: 'DELETE FROM users\nWHERE id = 1',
      tail: '',
      hidden: undefined,
    });
  });

  test.each([
    ['lines', `UPDATE t SET a = CASE\n${'  WHEN 1 THEN 2\n'.repeat(500)}END\nWHERE 1 = 1`],
    ['characters', `UPDATE t SET a = '${'x'.repeat(50_000)}' WHERE 1 = 1`],
    ['empty lines', `UPDATE t SET a = 1 WHERE id = 3${'\n'.repeat(5_000)}OR 1 = 1`],
    ['blanks', `UPDATE t SET a = 1 WHERE id = 3${' '.repeat(50_000)}OR 1 = 1`],
  ])('of many %s keeps both ends visible', (_what, statement) => {
    const { head, tail } = shownText(statement);
    expect(head.startsWith('UPDATE t SET a')).toBe(true);
    expect(`${head}${tail}`.endsWith('1 = 1')).toBe(true);
    expect(`${head}${tail}`.split('\n').length).toBeLessThanOrEqual(23);
    expect(head.length + tail.length).toBeLessThanOrEqual(2_200);
  });

  test('hides nothing but what is counted as hidden', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 80 }), (lines) => {
        const text = lines.map((line) => `x${line.replace(/\s+/g, '_')}`).join('\n');
        const { head, tail, hidden } = shownText(text);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length + (hidden?.chars ?? 0)).toBe(text.length);
        expect((head + tail).isWellFormed()).toBe(true);
      }),
    );
  });

  test.each([
    ['turns text around', 'WHERE id = 1 \u202e-- 1 = 1 RO', 'U+202E'],
    ['has no width', 'us\u200bers', 'U+200B'],
    ['moves the cursor', 'a\u001b[2K', 'U+001B'],
    ['is a blank of another kind', 'a\u00a0b', 'U+00A0'],
  ])('shows a character that %s', (_what, text, shown) => {
    expect(visibleHtml(text)).toContain(`<span class="unseen">${shown}</span>`);
  });
});

describe('the page of a question', () => {
  const page = (statement: string) =>
    questionPage(
      {
        kind: 'change',
        title: plain`DevDB: DELETE on shop`,
        message: framed(statement),
        parts: {
          ask: plain`Run this DELETE on shop?`,
          statement,
          facts: [{ label: plain`Effect`, value: plain`It changes 3 rows.` }],
        },
      },
      'n0nce',
    );

  test('contains what is needed to decide, and focuses no button', () => {
    const text = page('DELETE FROM users');
    for (const part of ['Run this DELETE on shop?', 'DELETE FROM users', 'It changes 3 rows.'])
      expect(text).toContain(part);
    for (const label of ['Run once', 'Run for this session', 'No']) expect(text).toContain(`>${label}</button>`);
    expect(text).not.toContain('autofocus');
  });

  test.each([
    ['letters', 'x'.repeat(1_000_000)],
    ['lines', 'line\n'.repeat(200_000)],
    ['invisible characters', 'a\u200b'.repeat(500_000)],
  ])('of a long text of %s shows both ends and what lies between by number, also on request', (_what, middle) => {
    const text = page(`THE START ${middle} THE END`);
    expect(text.length).toBeLessThan(12_000_000);
    const boxes = [/<pre id="short">.*?<\/pre>/s, /<pre id="whole" hidden>.*?<\/pre>/s].map(
      (box) => box.exec(text)?.[0] ?? '',
    );
    for (const box of boxes) {
      expect(box).toContain('THE START');
      expect(box).toContain('THE END');
      expect(box).toMatch(/\d{6,} characters\)? are not shown/);
    }
    expect(text).toContain('>Show more of the statement</button>');
  });

  test('of a text of some pages has all of it on request', () => {
    const lines = Array.from({ length: 500 }, (_empty, at) => `line ${at}`);
    const text = page(lines.join('\n'));
    expect(text).toContain('>Show the whole statement</button>');
    for (const line of lines) expect(text).toContain(line);
  });

  test.each([
    ['kind', 'later changes of the same kind'],
    ['tool', 'later calls of this tool by this client'],
    ['file', 'later calls of this tool for this file'],
    ['same', 'exactly the same'],
  ] as const)('says what a yes for the session covers: %s', (session, says) => {
    const parts = { ask: plain`a`, facts: [] };
    expect(questionPage({ session, title: plain`t`, message: linesOf([]), parts }, 'n')).toContain(says);
  });

  test('offers no session answer for a connection, which is approved once', () => {
    const text = questionPage(
      { kind: 'connect', title: plain`t`, message: linesOf([]), parts: { ask: plain`a`, facts: [] } },
      'n',
    );
    expect(text).toContain('>Connect</button>');
    expect(text).not.toContain('data-answer="session"');
  });

  test('turns no text of a statement into markup', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const statement = `<script>${text}</script><img src=x onerror="${text}">`;
        const [scripts, images] = [/<script/g, /<img/g].map((tag) => page(statement).match(tag)?.length ?? 0);
        expect([scripts, images]).toEqual([1, 0]);
        expect(escapeHtml(text)).not.toMatch(/[<>"']/);
      }),
    );
  });
});
