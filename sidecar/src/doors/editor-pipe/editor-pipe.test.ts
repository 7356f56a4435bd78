import { PassThrough } from 'node:stream';
import { whenAborted } from '@devdb/shared/abort';
import type { Envelope } from '@devdb/shared/envelope';
import { AppError } from '@devdb/shared/errors';
import { linesOf, plain } from '@devdb/shared/plain-text';
import type { Answer } from '@devdb/shared/protocol';
import { askPerson, notifyPerson, projectChanged, runEditorTool } from '@devdb/shared/protocol/editor-methods';
import { hello, PIPE_VERSION, type ProjectSettings, type WindowProject } from '@devdb/shared/protocol/handshake';
import { method } from '@devdb/shared/protocol/method';
import { Peer } from '@devdb/shared/protocol/peer';
import { runTool, setProjects, shutdown, status, toolProgress } from '@devdb/shared/protocol/sidecar-methods';
import { allTools } from '@devdb/shared/tools';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import * as z from 'zod';
import { until } from '../../../test/helpers/processes.ts';
import { AnswerRoom } from '../../dispatch/answer-room.ts';
import type { Caller } from '../../dispatch/caller.ts';
import { Editor } from '../../dispatch/editor.ts';
import { openPipe, pipeAnswer } from './editor-pipe.ts';

const WAIT = { timeoutMs: 10_000 };
const SETTINGS: ProjectSettings = {
  writes: 'ask',
  approvals: 'ask',
  trusted: true,
  toolsets: ['database'],
  disabledTools: [],
  mcpJson: { entry: 'off', inGit: false },
};
const CLIENT = { id: 'window-1', name: 'VS Code' };
const META = { requestId: 'r1', timestamp: '2030-01-01T00:00:00.000Z', duration: 1 };

const twice = method(
  'test/twice',
  () => z.object({ n: z.number() }),
  () => z.number(),
);

type Run = (name: string, rawInput: unknown, caller: Caller) => Promise<Envelope>;

function success(data: unknown): Envelope {
  return { ok: true, type: 'success', data, meta: META };
}

function openWindow(run: Run) {
  const toSidecar = new PassThrough();
  const toEditor = new PassThrough();
  const wanted: WindowProject[][] = [];
  let ended = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const editor = new Editor();
  const room = new AnswerRoom();
  const roots = () => (wanted.at(-1) ?? []).map(({ root }) => root);
  const sidecar = openPipe({
    input: toSidecar,
    output: toEditor,
    version: '1.1.0',
    host: {
      set: async (projects) => {
        wanted.push([...projects]);
        return projects.map(({ root: given }, index) => ({ given, root: given, port: 50_001 + index }));
      },
      gateOf: (root = roots()[0] ?? '') => {
        if (!roots().includes(root)) throw new AppError('E_PROJECT_NOT_OPEN', `${root} is not open.`);
        return { projectRoot: root, tools: allTools, run: (name, input, by) => run(`${root} ${name}`, input, by) };
      },
      status: async () => [],
      end: ended,
    },
    answers: [pipeAnswer(twice, async ({ n }) => 2 * n)],
    editor,
    room,
    log: () => undefined,
    onClosed: () => undefined,
  });
  const window = new Peer({
    reader: new StreamMessageReader(toEditor),
    writer: new StreamMessageWriter(toSidecar),
    gone: () => new AppError('E_UNREACHABLE', 'gone'),
    onFault: () => undefined,
  });
  return { window, sidecar, toSidecar, toEditor, room, editor, wanted, end, listen: () => window.listen() };
}

function greet(window: Peer, pipeVersion = PIPE_VERSION) {
  const projects = ['/a', '/b'].map((root) => ({ root, settings: SETTINGS }));
  return window.call(hello, { pipeVersion, version: '1.1.0', editor: 'VS Code 1.101', projects }, WAIT);
}

function toolCall(tool: string, root?: string) {
  return { call: 'c1', tool, input: { query: 'SELECT 1' }, client: CLIENT, ...(root === undefined ? {} : { root }) };
}

describe("the editor's pipe", () => {
  test("is greeted first and answers with every folder's port", async () => {
    const { window, listen } = openWindow(async () => success(1));
    listen();
    await expect(window.call(status, {}, WAIT)).rejects.toMatchObject({ code: 'E_INTERNAL' });
    await expect(greet(window)).resolves.toEqual({
      pipeVersion: PIPE_VERSION,
      version: '1.1.0',
      pid: process.pid,
      projects: [
        { given: '/a', root: '/a', port: 50_001 },
        { given: '/b', root: '/b', port: 50_002 },
      ],
    });
    await expect(greet(window)).rejects.toMatchObject({ code: 'E_INTERNAL' });
    window.close();
  });

  test('counts answers that the editor has not read, including queued ones, until it reads them or is gone', async () => {
    const text = 'x'.repeat(1024 * 1024);
    for (const ending of ['read', 'gone']) {
      const answered = Promise.withResolvers<void>();
      let calls = 0;
      const { window, sidecar, toEditor, room, listen } = openWindow(async () => {
        calls += 1;
        if (calls === 3) answered.resolve();
        return success({ text });
      });
      listen();
      await greet(window);
      toEditor.pause();
      const asked = [1, 2, 3].map(() => window.call(runTool, toolCall('run-query'), WAIT).catch(() => undefined));
      await answered.promise;
      await until('three answers wait', () => room.unread > 3 * text.length);
      if (ending === 'read') {
        toEditor.resume();
        await Promise.all(asked);
        await until('all were taken', () => room.unread === 0);
      } else {
        sidecar.close();
        expect(room.unread).toBe(0);
      }
      window.close();
      await Promise.all(asked);
    }
  });

  test('refuses an editor of another pipe version, naming both', async () => {
    const { window, editor, listen } = openWindow(async () => success(1));
    listen();
    await expect(greet(window, PIPE_VERSION + 1)).rejects.toMatchObject({
      code: 'E_INTERNAL',
      hint: expect.stringContaining('Reload'),
    });
    expect(editor.attached).toBe(false);
    window.close();
  });

  test('runs a tool of the named project, else of the first, and returns its text', async () => {
    const { window, listen } = openWindow(async (name, input) => success({ name, input }));
    listen();
    await greet(window);
    const input = { query: 'SELECT 1' };
    await expect(window.call(runTool, toolCall('run-query', '/b'), WAIT)).resolves.toEqual({
      ok: true,
      text: JSON.stringify({ name: '/b run-query', input }),
    });
    await expect(window.call(runTool, toolCall('run-query'), WAIT)).resolves.toEqual({
      ok: true,
      text: JSON.stringify({ name: '/a run-query', input }),
    });
    await expect(window.call(runTool, toolCall('run-query', '/c'), WAIT)).rejects.toMatchObject({
      code: 'E_PROJECT_NOT_OPEN',
    });
    window.close();
  });

  test('carries progress, and a question to the user with the answer back', async () => {
    const { window, listen } = openWindow(async (_name, _input, caller) => {
      caller.progress({ progress: 1, total: 2, message: 'half' });
      const answer = await caller.ask?.(
        { title: plain`Run it?`, message: linesOf([plain`DELETE FROM users`]) },
        caller.signal,
      );
      return success({ answer, client: [caller.door, caller.clientId, caller.clientName] });
    });
    const heard: unknown[] = [];
    window.hear(toolProgress, (progress) => heard.push(progress));
    const answerTo = (message: string): Answer => (message === 'DELETE FROM users' ? 'session' : 'no');
    window.answer(askPerson, async ({ message }) => ({ answer: answerTo(message) }));
    listen();
    await greet(window);
    await expect(window.call(runTool, toolCall('run-query'), WAIT)).resolves.toEqual({
      ok: true,
      text: JSON.stringify({ answer: 'session', client: ['pipe', 'window-1', 'VS Code'] }),
    });
    expect(heard).toEqual([{ call: 'c1', progress: 1, total: 2, message: 'half' }]);
    window.close();
  });

  test.each(['cancels', 'goes away'])('aborts the tool when the editor %s', async (how) => {
    let arrived = (_signal: AbortSignal): void => undefined;
    const running = new Promise<AbortSignal>((resolve) => {
      arrived = resolve;
    });
    const { window, toSidecar, listen } = openWindow((_name, _input, { signal }) => {
      arrived(signal);
      return whenAborted(signal).then(() => Promise.reject(new AppError('E_CANCELLED', 'aborted')));
    });
    listen();
    await greet(window);
    const controller = new AbortController();
    const call = window.call(runTool, toolCall('run-query'), { ...WAIT, signal: controller.signal });
    const refused = expect(call).rejects.toMatchObject({ code: how === 'cancels' ? 'E_CANCELLED' : 'E_UNREACHABLE' });
    const signal = await running;
    if (how === 'cancels') controller.abort();
    else toSidecar.destroy();
    await whenAborted(signal);
    window.close();
    await refused;
  });

  test('accepts other folders and settings while it is open, and ends on request', async () => {
    const { window, wanted, end, listen } = openWindow(async () => success(1));
    listen();
    const projects = [{ root: '/b', settings: { ...SETTINGS, writes: 'deny' as const } }];
    await expect(window.call(setProjects, { projects }, WAIT)).rejects.toMatchObject({ code: 'E_INTERNAL' });
    await greet(window);
    await expect(window.call(setProjects, { projects }, WAIT)).resolves.toEqual({
      projects: [{ given: '/b', root: '/b', port: 50_001 }],
    });
    expect(wanted.at(-1)).toEqual(projects);
    await window.call(shutdown, {}, WAIT);
    await end;
    window.close();
  });

  test("answers its process's own messages, also only after the greeting", async () => {
    const { window, listen } = openWindow(async () => success(1));
    listen();
    await expect(window.call(twice, { n: 2 }, WAIT)).rejects.toMatchObject({ code: 'E_INTERNAL' });
    await greet(window);
    await expect(window.call(twice, { n: 2 }, WAIT)).resolves.toBe(4);
    window.close();
  });

  test('carries notices to the editor', async () => {
    const { window, editor, listen } = openWindow(async () => success(1));
    const heard: unknown[] = [];
    const all = new Promise<void>((resolve) => {
      window.hear(notifyPerson, (news) => heard.push(news));
      window.hear(projectChanged, (news) => {
        heard.push(news);
        resolve();
      });
    });
    listen();
    editor.notify({ level: 'info', message: plain`no editor is there yet` });
    await greet(window);
    editor.notify({ level: 'error', message: plain`Port 1 is taken.`, once: 'port' });
    editor.projectChanged('/a');
    await all;
    expect(heard).toEqual([{ level: 'error', message: plain`Port 1 is taken.`, once: 'port' }, { root: '/a' }]);
    window.close();
  });
});

describe('tools that run in the editor', () => {
  const call = {
    root: '/a',
    tool: 'rename_symbol',
    input: { newName: 'x' },
    client: { id: 'c', name: 'agent' },
    approved: true,
    progress: () => undefined,
    settleMs: 0,
  };

  test('run there by reverse call, with codes on the way back', async () => {
    const { window, editor, listen } = openWindow(async () => success(1));
    window.answer(runEditorTool, async ({ tool, input }) => {
      if (tool === 'rename_symbol') return { tool, input };
      throw new AppError('E_NOT_FOUND', 'no such tool');
    });
    listen();
    await greet(window);
    await expect(editor.run(call, AbortSignal.timeout(WAIT.timeoutMs))).resolves.toEqual({
      tool: 'rename_symbol',
      input: { newName: 'x' },
    });
    await expect(editor.run({ ...call, tool: 'other' }, AbortSignal.timeout(WAIT.timeoutMs))).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    window.close();
  });

  test('answer E_EDITOR_NOT_ATTACHED without an editor, and when it goes during the call', async () => {
    const { window, sidecar, editor, listen } = openWindow(async () => success(1));
    const never = new AbortController().signal;
    await expect(editor.run(call, never)).rejects.toMatchObject({ code: 'E_EDITOR_NOT_ATTACHED' });
    const arrived = new Promise<void>((resolve) => {
      window.answer(runEditorTool, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    listen();
    await greet(window);
    const refused = expect(editor.run(call, never)).rejects.toMatchObject({ code: 'E_EDITOR_NOT_ATTACHED' });
    await arrived;
    sidecar.close();
    await refused;
    expect(editor.attached).toBe(false);
    await expect(editor.ask({ title: plain`Run it?`, message: linesOf([plain`x`]) }, never)).rejects.toMatchObject({
      code: 'E_EDITOR_NOT_ATTACHED',
    });
    window.close();
  });
});
