import { linesOf, plain } from '@devdb/shared/plain-text';
import type { Answer, Question } from '@devdb/shared/protocol';
import { Questions } from './questions.ts';

const FIRST_PANEL_READY_MS = 20_000;

/** An editor whose panels and messages behave as the test says. */
class FakeEditor {
  readonly panels: FakePanel[] = [];
  readonly messages: { readonly title: string; readonly choose: (button: string | undefined) => void }[] = [];

  readonly window = {
    createWebviewPanel: () => {
      const panel = new FakePanel();
      this.panels.push(panel);
      return panel;
    },
    showWarningMessage: (title: string) =>
      new Promise<string | undefined>((choose) => this.messages.push({ title, choose })),
  };
}

class FakePanel {
  readonly #onDispose: (() => void)[] = [];
  readonly #onMessage: ((message: unknown) => void)[] = [];
  disposed = false;
  readonly webview = {
    html: '',
    onDidReceiveMessage: (listener: (message: unknown) => void) => this.#onMessage.push(listener),
  };

  onDidDispose(listener: () => void): void {
    this.#onDispose.push(listener);
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const listener of this.#onDispose) listener();
  }

  say(message: unknown): void {
    for (const listener of this.#onMessage) listener(message);
  }
}

const editor = new FakeEditor();

jest.mock('vscode', () => ({ window: editor.window, ViewColumn: { Active: -1 } }), { virtual: true });

const QUESTION: Question = { title: plain`DevDB: DELETE on shop`, message: linesOf([plain`Run it?`]) };

async function ask(signal = new AbortController().signal): Promise<Answer> {
  const { showInPanel } = await import('./question-panel.ts');
  return new Questions(showInPanel).ask(QUESTION, signal);
}

async function shown(): Promise<FakePanel> {
  const before = editor.panels.length;
  for (let turn = 0; turn < 50 && editor.panels.length === before; turn += 1) await Promise.resolve();
  const panel = editor.panels.at(-1);
  if (panel === undefined) throw new Error('no panel was opened');
  return panel;
}

beforeEach(async () => {
  // A new window.
  jest.resetModules();
  await import('./question-panel.ts');
  jest.useFakeTimers();
});

afterEach(() => jest.useRealTimers());

test("the page's answer counts, and any other message of it is ignored", async () => {
  const answer = ask();
  const panel = await shown();
  panel.say({ ready: true });
  panel.say({ answer: 'always' });
  panel.say('once');
  panel.say({ answer: 'session' });
  await expect(answer).resolves.toBe('session');
  expect(panel.disposed).toBe(true);
});

test('closing the panel means no, even after a long time', async () => {
  const answer = ask();
  const panel = await shown();
  panel.say({ ready: true });
  await jest.advanceTimersByTimeAsync(FIRST_PANEL_READY_MS * 2);
  expect(panel.disposed).toBe(false);
  panel.dispose();
  await expect(answer).resolves.toBe('no');
  expect(editor.messages).toEqual([]);
});

test('an editor that cannot show panels asks in a message', async () => {
  const answer = ask();
  const panel = await shown();
  await jest.advanceTimersByTimeAsync(FIRST_PANEL_READY_MS);
  expect(editor.messages.map(({ title }) => title)).toEqual([QUESTION.title]);
  editor.messages.shift()?.choose('Run once');
  await expect(answer).resolves.toBe('once');
  expect(panel.disposed).toBe(true);
});

test('an editor that has shown a panel is given any time for the next one', async () => {
  const first = ask();
  const panel = await shown();
  panel.say({ ready: true });
  panel.say({ answer: 'once' });
  await expect(first).resolves.toBe('once');
  const second = ask();
  const slow = await shown();
  await jest.advanceTimersByTimeAsync(FIRST_PANEL_READY_MS * 2);
  expect(editor.messages).toEqual([]);
  slow.say({ ready: true });
  slow.say({ answer: 'no' });
  await expect(second).resolves.toBe('no');
});

test('an answer to a message after the call has ended is ignored', async () => {
  const call = new AbortController();
  const answer = expect(ask(call.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' });
  await shown();
  await jest.advanceTimersByTimeAsync(FIRST_PANEL_READY_MS);
  call.abort();
  await answer;
  editor.messages.shift()?.choose('Run once');
  await jest.advanceTimersByTimeAsync(1);
});

test('a call that ends closes its panel', async () => {
  const call = new AbortController();
  const answer = expect(ask(call.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' });
  const panel = await shown();
  panel.say({ ready: true });
  call.abort();
  await answer;
  expect(panel.disposed).toBe(true);
  panel.say({ answer: 'once' });
});
