import type { Readable, Writable } from 'node:stream';
import { AppError } from '@devdb/shared/errors';
import { checkPipeVersion, hello, PIPE_VERSION, type ProjectSettings } from '@devdb/shared/protocol/handshake';
import { Peer } from '@devdb/shared/protocol/peer';
import { runTool, setSettings, shutdown, status, toolProgress } from '@devdb/shared/protocol/sidecar-methods';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type * as z from 'zod';
import type { Caller } from '../caller.ts';
import { type Editor, notAttached } from '../editor.ts';
import type { Gate } from './gate.ts';

/** A project of the window, as the pipe needs to see it. */
export interface OpenProject {
  readonly root: string;
  readonly port: number;
  readonly gate: Gate;
  applySettings(settings: ProjectSettings): void;
}

/** What the process behind the pipe offers. */
export interface PipeHost {
  /** Opens the window's projects; called once, by the handshake. */
  open(
    projects: readonly { readonly root: string; readonly settings: ProjectSettings }[],
  ): Promise<readonly OpenProject[]>;
  /** The editor asked for the end. Called after its request was answered. */
  end(): void;
}

export interface PipeOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  readonly host: PipeHost;
  readonly editor: Editor;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  /** The pipe is closed, for whatever reason: the editor is gone. */
  readonly onClosed: () => void;
}

/** The editor's door: answers the pipe from the gates and attaches the editor for the way back. */
export function openPipe(options: PipeOptions): Peer {
  const { editor, log } = options;
  const peer: Peer = new Peer({
    reader: new StreamMessageReader(options.input),
    writer: new StreamMessageWriter(options.output),
    gone: notAttached,
    onFault: (error) => log('pipe-fault', { error: String(error) }),
    onClosed: () => {
      editor.detach(peer);
      options.onClosed();
    },
  });
  answerAll(peer, options);
  peer.listen();
  return peer;
}

function answerAll(peer: Peer, { host, editor, version }: PipeOptions): void {
  let greeted: Promise<readonly OpenProject[]> | undefined;
  const projects = (): Promise<readonly OpenProject[]> => {
    if (greeted === undefined)
      throw new AppError('E_INTERNAL', `The first message of the pipe has to be ${hello.name}.`);
    return greeted;
  };
  peer.answer(hello, async (params) => {
    checkPipeVersion(params.pipeVersion, params.version, version);
    if (greeted !== undefined) throw new AppError('E_INTERNAL', 'The pipe was already greeted.');
    greeted = host.open(params.projects);
    const opened = await greeted;
    editor.attach(peer);
    const ports = opened.map(({ root, port }) => ({ root, port }));
    return { pipeVersion: PIPE_VERSION, version, pid: process.pid, projects: ports };
  });
  peer.answer(runTool, async (params, signal) => {
    const { gate } = projectOf(await projects(), params.root);
    return gate.run(params.tool, params.input, pipeCaller(peer, editor, params, signal));
  });
  peer.answer(status, async () => ({
    version,
    pid: process.pid,
    projects: (await projects()).map(({ root, port, gate }) => ({
      root,
      port,
      tools: gate.tools.map(({ name }) => name),
    })),
  }));
  peer.answer(setSettings, async ({ root, settings }) => {
    projectOf(await projects(), root).applySettings(settings);
    return {};
  });
  peer.answer(shutdown, async () => {
    // After this turn, so that the answer is on its way before the pipe closes.
    setImmediate(() => host.end());
    return {};
  });
}

function projectOf(projects: readonly OpenProject[], root: string | undefined): OpenProject {
  const found = root === undefined ? projects[0] : projects.find((project) => project.root === root);
  if (found !== undefined) return found;
  throw new AppError(
    'E_PROJECT_NOT_OPEN',
    root === undefined ? 'No project is open in this window.' : `${root} is not open in this window.`,
  );
}

function pipeCaller(
  peer: Peer,
  editor: Editor,
  { call, client }: z.output<typeof runTool.params>,
  signal: AbortSignal,
): Caller {
  return {
    door: 'pipe',
    clientId: client.id,
    clientName: client.name,
    signal,
    progress: (progress) => peer.tell(toolProgress, { call, ...progress }),
    ask: (question, askSignal) => editor.ask(question, askSignal),
  };
}
