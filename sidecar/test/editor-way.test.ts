import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whenAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { type FinalChange, finalChange, isAgreed } from '@devdb/shared/final-change';
import type { Answer, Question } from '@devdb/shared/protocol';
import { askPerson, editorToolProgress, runEditorTool } from '@devdb/shared/protocol/editor-methods';
import type { ProjectSettings } from '@devdb/shared/protocol/handshake';
import { HEADERS } from '@devdb/shared/protocol/http';
import type { Peer } from '@devdb/shared/protocol/peer';
import { runTool, setProjects, toolProgress } from '@devdb/shared/protocol/sidecar-methods';
import * as z from 'zod';
import {
  type Elicit,
  httpClient,
  type McpClient,
  type ReadEnvelope,
  readEnvelope,
  stdioClient,
} from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow, windowSettings } from './helpers/window.ts';

const RENAME = { oldUri: 'src/a.ts', newUri: 'src/b.ts' };
const FINAL = { ...RENAME, overwrite: true };
const RENAMED = { from: 'src/a.ts', to: 'src/b.ts', importsUpdated: false, changedFiles: [] };
const REPLACE = { pathInProject: 'src/a.ts', text: 'new' };
const REPLACED = { path: '/p/src/a.ts', relativePath: 'src/a.ts', size: 3, operationTimeMs: 1 };
/** The toolset of files is off by default. */
const TOOLSETS = ['--toolsets', 'database,refactor,ide'];
const SETTING = { key: 'editor.tabSize', value: 2, scope: 'workspace' };

/** How the scripted editor handles a call. */
type Editor = (signal: AbortSignal, peer: Peer, call: string, agreed: FinalChange | undefined) => Promise<unknown>;

let project: TempProject;
let window: TestWindow;
let isOpen = false;
/** Tests of one door share a window: starting one takes longer than most of them. */
let keepsWindow = false;
/** What the window's editor does now. */
let acts: { readonly editor: Editor; readonly answer: Answer | undefined };
let calls: unknown[];
let asked: Question[];
/** The progress that the editor's own agent received. */
let progressed: unknown[];
/** Resolve when a call has reached the editor, and when the editor has noticed its abort. */
let arrived: PromiseWithResolvers<void>;
let aborted: PromiseWithResolvers<void>;
let closers: (() => Promise<unknown>)[];

beforeEach(() => {
  if (!isOpen) {
    project = tempProject();
    project.database('app.db', 'CREATE TABLE t(a)');
  }
  calls = [];
  asked = [];
  progressed = [];
  arrived = Promise.withResolvers();
  aborted = Promise.withResolvers();
  closers = [];
});

afterEach(async () => {
  for (const close of closers) await close();
  if (!keepsWindow || !isOpen) await leave();
});

async function leave(): Promise<void> {
  if (isOpen) await window.kill();
  isOpen = false;
  project.remove();
}

/** One window for all tests of the block around it, except for those that end it. */
function withOneWindow(): void {
  beforeAll(() => {
    keepsWindow = true;
  });
  afterAll(async () => {
    keepsWindow = false;
    await leave();
  });
}

interface WindowParts {
  readonly settings?: Partial<ProjectSettings>;
  readonly editor?: Editor;
  /** Without it, the editor cannot show questions. */
  readonly answer?: Answer;
}

/** Opens the window, or changes what is open: its settings, its editor, its user. */
async function open({ settings = {}, editor = async () => RENAMED, answer }: WindowParts = {}): Promise<void> {
  acts = { editor, answer };
  const chosen = windowSettings({ toolsets: ['database', 'refactor', 'ide'], ...settings });
  const projects = [{ root: project.root, settings: chosen }];
  if (isOpen) {
    await window.call(setProjects, { projects });
    return;
  }
  window = await openWindow({ home: project.home, projects, offer });
  isOpen = true;
}

function offer(peer: Peer): void {
  peer.answer(runEditorTool, async (call, signal) => {
    calls.push(call);
    void whenAborted(signal).then(aborted.resolve);
    arrived.resolve();
    return acts.editor(signal, peer, call.call, call.agreed);
  });
  peer.hear(toolProgress, (news) => progressed.push(news));
  peer.answer(askPerson, async (question) => {
    // What the other end gets of an editor that has no answer to this message.
    if (acts.answer === undefined) throw new AppError('E_NOT_FOUND', 'The other process does not support it.');
    asked.push(question);
    return { answer: acts.answer };
  });
}

function reach(): { readonly port: number; readonly token: string } {
  const ports = z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8')));
  const token = readFileSync(join(project.home, 'token'), 'utf8').trim();
  return { port: ports[project.root] ?? 0, token };
}

interface How {
  readonly timeoutMs?: number;
  readonly elicit?: Elicit;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: unknown) => void;
}

type Door = (tool: string, input: object, how?: How) => Promise<ReadEnvelope>;

async function overMcp(opening: Promise<McpClient>, tool: string, input: object, { signal, progress }: How) {
  const client = await opening;
  closers.push(() => client.close());
  const options = { ...(signal && { signal }), ...(progress && { onprogress: progress }) };
  return (await client.call(tool, { ...input }, options)).envelope;
}

/** Every way for an agent to reach the window. */
const DOORS: Readonly<Record<string, Door>> = {
  stdio: (tool, input, how = {}) => {
    const args = [...TOOLSETS, ...(how.timeoutMs === undefined ? [] : ['--timeout', String(how.timeoutMs)])];
    const opening = stdioClient(project.home, { args, ...(how.elicit && { elicit: how.elicit }) });
    return overMcp(opening, tool, { projectRoot: project.root, ...input }, how);
  },
  'MCP over HTTP': (tool, input, how = {}) => {
    const headers = how.timeoutMs === undefined ? {} : { [HEADERS.defaultTimeout]: String(how.timeoutMs) };
    return overMcp(httpClient(reach(), { headers, ...(how.elicit && { elicit: how.elicit }) }), tool, input, how);
  },
  REST: async (tool, input, how) => readEnvelope(await (await post(tool, input, 'application/json', how)).json()),
  'REST as NDJSON': async (tool, input, how) => {
    const lines = await linesOf(await post(tool, input, 'application/x-ndjson', how));
    for (const line of lines) if ('progress' in line) how?.progress?.(line);
    return readEnvelope(lines.at(-1)?.['result']);
  },
};

/** The editor's own agent only gets the text for the model. */
const pipe: Door = async (tool, input, { signal } = {}) => {
  const call = { call: 'one', tool, input, client: { id: 'window', name: 'editor' } };
  const { ok, text } = await window.call(runTool, call, signal);
  const meta = { requestId: '', timestamp: '', duration: 0 };
  if (ok) return { ok, type: 'success', data: text.startsWith('{') ? JSON.parse(text) : { result: text }, meta };
  const [, code = '', message = '', hint] = /^\[(E_\w+)\] (.*?)(?: Hint: (.*))?$/s.exec(text) ?? [];
  return { ok, type: 'error', error: { code, message, hint }, meta };
};

function post(tool: string, input: object, accept: string, { timeoutMs, signal }: How = {}): Promise<Response> {
  const { port, token } = reach();
  return fetch(`http://127.0.0.1:${port}/tools/${tool}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept,
      ...(timeoutMs === undefined ? {} : { [HEADERS.defaultTimeout]: String(timeoutMs) }),
    },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function linesOf(response: Response): Promise<Record<string, unknown>[]> {
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
}

/** What the error says about the change: in its details, or over the pipe, which has none, in its message. */
function appliedOf({ error }: ReadEnvelope): unknown {
  if (error?.details !== undefined) return z.looseObject({ applied: z.unknown() }).parse(error.details).applied;
  return Object.entries(OUTCOMES).find(([sentence]) => error?.message.includes(sentence))?.[1];
}

const OUTCOMES = {
  'The change was made before that.': true,
  'othing was changed': false,
  'Whether the change was made is not known': 'unknown',
} as const;

/** Settles when the editor notices that its call was aborted: nothing has been changed by then. */
function untilAborted(signal: AbortSignal): Promise<never> {
  const ended = new AppError('E_CANCELLED', 'The call was ended.', { details: { applied: false } });
  return whenAborted(signal).then(() => Promise.reject(ended));
}

const UNSAVED: FinalChange = { file: 'src/a.ts', because: ['unsaved'] };

/** The file has unsaved text, of which nothing stands in the input. */
const unlessAgreed: Editor = async (_signal, _peer, _call, agreed) => {
  if (isAgreed(UNSAVED, agreed)) return REPLACED;
  throw finalChange(UNSAVED);
};

const STARTED = { result: 'Run configuration started' };

/** The input only names what runs. */
function runsNow(statement: () => string): Editor {
  return async (_signal, _peer, _call, agreed) => {
    const change: FinalChange = { title: 'Greet', statement: statement() };
    if (isAgreed(change, agreed)) return STARTED;
    throw finalChange(change);
  };
}

/** Lets the deadline pass in the middle of the change, which is still completed. */
async function madeToItsEnd(signal: AbortSignal): Promise<unknown> {
  await whenAborted(signal);
  return RENAMED;
}

describe.each(Object.entries({ ...DOORS, 'the pipe': pipe }))('over %s', (_name, door) => {
  withOneWindow();

  test("a call reaches the window's editor with root, input and client, and its answer comes back", async () => {
    await open({ editor: async () => SETTING });
    expect(await door('get_setting', { key: 'editor.tabSize' })).toMatchObject({ ok: true, data: SETTING });
    expect(calls).toEqual([
      {
        call: expect.any(String),
        root: project.root,
        tool: 'get_setting',
        input: { key: 'editor.tabSize', scope: 'workspace' },
        client: { id: expect.any(String), name: expect.any(String) },
        approved: true,
      },
    ]);
  });

  test("the editor's own code, message and hint reach the caller, with what happened to the change", async () => {
    await open({
      editor: async () => {
        throw new AppError('E_FILE_NOT_FOUND', 'src/a.ts does not exist.', {
          hint: 'Look.',
          details: { applied: false },
        });
      },
    });
    const answer = await door('rename_file', RENAME);
    expect(answer.error).toMatchObject({
      code: 'E_FILE_NOT_FOUND',
      message: 'src/a.ts does not exist. Nothing was changed.',
      hint: 'Look.',
    });
    expect(appliedOf(answer)).toBe(false);
  });

  test('an answer of another shape, and an undeclared code, are E_INTERNAL', async () => {
    await open({ editor: async () => ({ nothing: 'of the kind' }) });
    expect((await door('get_setting', { key: 'a.b' })).error?.code).toBe('E_INTERNAL');
    await open({ editor: () => Promise.reject(new AppError('E_SQL', 'no such table')) });
    expect((await door('get_setting', { key: 'a.b' })).error?.code).toBe('E_INTERNAL');
  });

  test('a client that cancels ends the call in the editor', async () => {
    await open({ editor: untilAborted });
    const leaving = new AbortController();
    const answer = door('rename_file', RENAME, { signal: leaving.signal });
    const refused = expect(answer).rejects.toThrow();
    await arrived.promise;
    leaving.abort();
    await Promise.all([refused, aborted.promise]);
  });

  test('what only the user can undo is asked in the editor, and a no is E_APPROVAL_DENIED', async () => {
    await open({ answer: 'no' });
    const answer = await door('rename_file', FINAL);
    expect(answer.error?.code).toBe('E_APPROVAL_DENIED');
    expect(appliedOf(answer)).toBe(false);
    expect(asked[0]?.parts?.facts).toContainEqual({ label: 'From', value: 'src/a.ts' });
    expect(calls).toEqual([]);
  });

  test('a yes runs it, and what the editor can undo is not asked', async () => {
    await open({ answer: 'once' });
    expect(await door('rename_file', RENAME)).toMatchObject({ ok: true, data: RENAMED });
    expect(asked).toEqual([]);
    expect(await door('rename_file', FINAL)).toMatchObject({ ok: true, data: RENAMED });
    expect(asked).toHaveLength(1);
  });

  test('an editor that cannot ask is E_CONFIRMATION_REQUIRED, without mentioning a database', async () => {
    await open();
    const answer = await door('rename_file', FINAL);
    expect(answer.error?.code).toBe('E_CONFIRMATION_REQUIRED');
    expect(JSON.stringify(answer.error)).not.toMatch(/database|statement|query/i);
    expect(calls).toEqual([]);
  });

  test('a change that only its file shows to be final is asked then, with the reason, and runs after a yes alone', async () => {
    await open({ editor: unlessAgreed, answer: 'no' });
    const refused = await door('replace_file_text_by_path', REPLACE);
    expect([refused.error?.code, appliedOf(refused)]).toEqual(['E_APPROVAL_DENIED', false]);
    expect(asked[0]?.parts?.facts).toContainEqual({
      label: 'Note',
      value: 'It has changes that are not saved. They are replaced too.',
    });
    expect(calls).toHaveLength(1);
    await open({ editor: unlessAgreed, answer: 'once' });
    expect(await door('replace_file_text_by_path', REPLACE)).toMatchObject({ ok: true, data: REPLACED });
    expect(calls.slice(1)).toEqual([
      expect.not.objectContaining({ agreed: UNSAVED }),
      expect.objectContaining({ agreed: UNSAVED }),
    ]);
  });

  test('a final change without a user to ask is E_CONFIRMATION_REQUIRED, under deny E_APPROVAL_DENIED, under allow made', async () => {
    await open({ editor: unlessAgreed });
    expect((await door('replace_file_text_by_path', REPLACE)).error?.code).toBe('E_CONFIRMATION_REQUIRED');
    await open({ editor: unlessAgreed, settings: { approvals: 'deny' }, answer: 'once' });
    expect((await door('replace_file_text_by_path', REPLACE)).error?.code).toBe('E_APPROVAL_DENIED');
    await open({ editor: unlessAgreed, settings: { approvals: 'allow' }, answer: 'no' });
    expect((await door('replace_file_text_by_path', REPLACE)).ok).toBe(true);
    expect(asked).toEqual([]);
  });

  test('what the input only names is asked about once, with what the editor says it runs, under every policy', async () => {
    const run = () => door('run_configuration', { configName: 'Greet' });
    await open({ editor: runsNow(() => 'node greet.js'), answer: 'no' });
    const refused = await run();
    expect([refused.error?.code, appliedOf(refused)]).toEqual(['E_APPROVAL_DENIED', false]);
    expect(asked.map(({ parts }) => parts?.statement)).toEqual(['node greet.js']);
    expect(asked[0]?.message).toContain('node greet.js');
    await open({ editor: runsNow(() => 'node greet.js'), settings: { approvals: 'always' }, answer: 'once' });
    expect(await run()).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    await open({ editor: runsNow(() => 'node greet.js'), settings: { approvals: 'allow' }, answer: 'no' });
    expect(await run()).toMatchObject({ ok: true });
    calls = [];
    await open({ editor: runsNow(() => 'node greet.js'), settings: { approvals: 'deny' }, answer: 'once' });
    expect((await run()).error?.code).toBe('E_APPROVAL_DENIED');
    expect([asked.length, calls]).toEqual([2, []]);
    await open({ editor: runsNow(() => 'node greet.js') });
    expect((await run()).error?.code).toBe('E_CONFIRMATION_REQUIRED');
  });

  test('Devdb.approvals: always asks before every change, allow before none, deny refuses them all', async () => {
    await open({ settings: { approvals: 'always' }, answer: 'no' });
    expect((await door('rename_file', RENAME)).error?.code).toBe('E_APPROVAL_DENIED');
    expect((await door('get_setting', { key: 'a.b' })).error?.code).not.toBe('E_APPROVAL_DENIED');
    await open({ settings: { approvals: 'allow' }, answer: 'no' });
    expect((await door('rename_file', FINAL)).ok).toBe(true);
    await open({ settings: { approvals: 'deny' }, answer: 'once' });
    expect((await door('rename_file', RENAME)).error?.code).toBe('E_APPROVAL_DENIED');
    expect(asked).toHaveLength(1);
  });

  test('an untrusted workspace runs read-only tools and refuses changing ones', async () => {
    await open({ settings: { trusted: false }, editor: async () => SETTING });
    expect((await door('get_setting', { key: 'editor.tabSize' })).ok).toBe(true);
    expect((await door('rename_file', RENAME)).error?.code).toBe('E_UNTRUSTED_WORKSPACE');
  });
});

describe.each(Object.entries(DOORS))('over %s', (_name, door) => {
  withOneWindow();

  test.each([
    ['before it changed anything', untilAborted, false],
    ['in the middle, and was made to its end', madeToItsEnd, true],
    ['and the editor says nothing more', () => new Promise<never>(() => undefined), 'unknown'],
  ] as const)('a change that times out %s is E_TIMEOUT and says so', async (_how, editor, applied) => {
    await open({ editor });
    const answer = await door('rename_file', RENAME, { timeoutMs: 100 });
    expect(answer.error).toMatchObject({ code: 'E_TIMEOUT' });
    expect(appliedOf(answer)).toBe(applied);
    await aborted.promise;
  });

  test('a read that times out is E_TIMEOUT at once', async () => {
    await open({ editor: () => new Promise(() => undefined) });
    expect((await door('get_setting', { key: 'a.b' }, { timeoutMs: 100 })).error?.code).toBe('E_TIMEOUT');
    await aborted.promise;
  });

  test('a window killed in the middle is E_EDITOR_NOT_ATTACHED, and whether the change was made is unknown', async () => {
    await open({ editor: () => new Promise(() => undefined) });
    const answer = door('rename_file', RENAME);
    await arrived.promise;
    // The editor is gone; its sidecar sees the pipe break and answers the running calls.
    isOpen = false;
    closers.push(() => window.close());
    void window.close();
    const got = await answer;
    expect(got.error?.code).toBe('E_EDITOR_NOT_ATTACHED');
    expect(appliedOf(got)).toBe('unknown');
  });

  test("the editor's progress reaches a client that listens for it", async () => {
    const reached = Promise.withResolvers<void>();
    // These clients get the abort at once and forget the call, so the test waits until they have.
    const isLive = _name === 'stdio' || _name === 'MCP over HTTP';
    if (!isLive) reached.resolve();
    await open({
      editor: async (_signal, peer, call) => {
        peer.tell(editorToolProgress, { call, progress: 1, message: 'Half of it.' });
        await reached.promise;
        return RENAMED;
      },
    });
    const heard: unknown[] = [];
    const progress = (told: unknown): void => {
      heard.push(told);
      reached.resolve();
    };
    await door('rename_file', RENAME, { progress });
    // A plain REST call has one answer and nothing before it.
    expect(heard).toEqual(_name === 'REST' ? [] : [expect.objectContaining({ progress: 1, message: 'Half of it.' })]);
  });
});

test("the editor's progress reaches the editor's own agent", async () => {
  await open({
    editor: async (_signal, peer, call) => {
      peer.tell(editorToolProgress, { call, progress: 1, message: 'Half of it.' });
      return RENAMED;
    },
  });
  await pipe('rename_file', RENAME);
  expect(progressed).toEqual([{ call: 'one', progress: 1, message: 'Half of it.' }]);
});

test.each(['get_setting', 'rename_file'])(
  '%s that is cancelled before it starts never reaches the editor',
  async (tool) => {
    await open();
    const left = AbortSignal.abort();
    await expect(pipe(tool, tool === 'rename_file' ? RENAME : { key: 'a.b' }, { signal: left })).rejects.toThrow();
    expect(calls).toEqual([]);
  },
);

test('a change cancelled while its question is open was not made, and the question closes', async () => {
  await open();
  const questionGone = Promise.withResolvers<void>();
  const asking = Promise.withResolvers<void>();
  window.offer((peer) =>
    peer.answer(askPerson, async (_question, signal) => {
      void whenAborted(signal).then(questionGone.resolve);
      asking.resolve();
      return new Promise(() => undefined);
    }),
  );
  const leaving = new AbortController();
  const answer = expect(DOORS['REST']?.('rename_file', FINAL, { signal: leaving.signal })).rejects.toThrow();
  await asking.promise;
  leaving.abort();
  await Promise.all([answer, questionGone.promise]);
  expect(calls).toEqual([]);
});

test('a call that ended before its tool ran says that nothing was applied', async () => {
  await open({ settings: { trusted: false } });
  for (const door of Object.values(DOORS)) expect(appliedOf(await door('rename_file', RENAME))).toBe(false);
});

test('a yes for the session to one file with unsaved text is none for another, nor for another reason', async () => {
  let reason: 'unsaved' | 'runs-code' = 'unsaved';
  let file = 'src/a.ts';
  await open({
    editor: async (_signal, _peer, _call, agreed) => {
      const change: FinalChange = { file, because: [reason] };
      if (isAgreed(change, agreed)) return REPLACED;
      throw finalChange(change);
    },
    answer: 'session',
  });
  const client = await stdioClient(project.home, { args: TOOLSETS });
  closers.push(() => client.close());
  const replace = async () => {
    const input = { projectRoot: project.root, ...REPLACE };
    expect((await client.call('replace_file_text_by_path', input)).envelope.ok).toBe(true);
    return asked.length;
  };
  expect([await replace(), await replace()]).toEqual([1, 1]);
  file = 'src/b.ts';
  expect(await replace()).toBe(2);
  reason = 'runs-code';
  expect(await replace()).toBe(3);
});

test('a yes for the session to a name is one to what it ran then, and what it runs by now is asked about', async () => {
  let statement = 'node greet.js';
  await open({ editor: runsNow(() => statement), answer: 'session' });
  const client = await stdioClient(project.home, { args: TOOLSETS });
  closers.push(() => client.close());
  const run = async () => {
    const { envelope } = await client.call('run_configuration', { projectRoot: project.root, configName: 'Greet' });
    expect(envelope.ok).toBe(true);
    return asked.length;
  };
  expect([await run(), await run()]).toEqual([1, 1]);
  statement = 'node greet.js; curl example.org';
  expect(await run()).toBe(2);
});

test('what is another thing by the time of the yes is asked about again, and one that never stays the same is not run', async () => {
  const statements = ['node greet.js', 'node other.js', 'node other.js'];
  await open({ editor: runsNow(() => statements.shift() ?? 'node other.js'), answer: 'once' });
  const run = () => DOORS['REST']?.('run_configuration', { configName: 'Greet' });
  expect(await run()).toMatchObject({ ok: true, data: STARTED });
  expect(asked.map(({ parts }) => parts?.statement)).toEqual(['node greet.js', 'node other.js']);
  let count = 0;
  const editor = runsNow(() => {
    count += 1;
    return `node ${count}.js`;
  });
  await open({ editor, settings: { approvals: 'allow' } });
  const refused = await run();
  expect(refused?.error?.code).toBe('E_CONFIRMATION_REQUIRED');
  expect(refused && appliedOf(refused)).toBe(false);
});

test('a client that can ask shows the question itself, once for its session', async () => {
  await open({ answer: 'no' });
  let put = 0;
  const elicit: Elicit = async () => {
    put += 1;
    return { action: 'accept', content: { answer: 'session' } };
  };
  const client = await stdioClient(project.home, { elicit });
  closers.push(() => client.close());
  for (const _again of [1, 2]) {
    expect((await client.call('rename_file', { projectRoot: project.root, ...FINAL })).envelope.ok).toBe(true);
  }
  expect([put, asked.length]).toEqual([1, 0]);
});

test('a question the editor has just asked about this very call is not asked again', async () => {
  await open({ answer: 'no' });
  const client = { id: 'window', name: 'editor' };
  const call = { call: '1', tool: 'rename_file', input: FINAL, client };
  await expect(window.call(runTool, call)).resolves.toMatchObject({ ok: false });
  await expect(window.call(runTool, { ...call, confirmed: true })).resolves.toMatchObject({ ok: true });
  expect(asked).toHaveLength(1);
});

test('nor is one about a name that the editor has just asked about', async () => {
  await open({ editor: runsNow(() => 'node greet.js'), answer: 'no' });
  const client = { id: 'window', name: 'editor' };
  const call = { call: '1', tool: 'run_configuration', input: { configName: 'Greet' }, client };
  await expect(window.call(runTool, { ...call, confirmed: true })).resolves.toMatchObject({ ok: true });
  expect(asked).toEqual([]);
});

describe('without an editor', () => {
  let headless: RunningSidecar;
  beforeEach(async () => {
    headless = await startSidecar({ home: project.home, root: project.root });
    closers.push(() => headless.stop());
  });

  test.each(Object.entries(DOORS))(
    'over %s: E_EDITOR_NOT_ATTACHED at once, without a question',
    async (_name, door) => {
      let put = 0;
      const elicit: Elicit = async () => {
        put += 1;
        return { action: 'accept', content: {} };
      };
      expect((await door('get_setting', { key: 'a.b' }, { elicit })).error?.code).toBe('E_EDITOR_NOT_ATTACHED');
      const change = await door('rename_file', FINAL, { elicit });
      expect([change.error?.code, appliedOf(change)]).toEqual(['E_EDITOR_NOT_ATTACHED', false]);
      expect(put).toBe(0);
    },
  );
});
