import type { Readable, Writable } from 'node:stream';
import { clientNameText } from '@devdb/shared/client-name';
import { envelopeText } from '@devdb/shared/envelope';
import { AppError } from '@devdb/shared/errors';
import {
  checkPipeVersion,
  hello,
  PIPE_VERSION,
  type ProjectOutcome,
  type WindowProject,
} from '@devdb/shared/protocol/handshake';
import type { Method, ParamsOf } from '@devdb/shared/protocol/method';
import { Peer } from '@devdb/shared/protocol/peer';
import {
  runTool,
  type SidecarStatus,
  setProjects,
  shutdown,
  status,
  toolProgress,
} from '@devdb/shared/protocol/sidecar-methods';
import { type Message, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { AnswerRoom } from '../../dispatch/answer-room.ts';
import type { Caller } from '../../dispatch/caller.ts';
import { type Editor, notAttached } from '../../dispatch/editor.ts';
import type { Gate } from '../../dispatch/gate.ts';
import type { LogEvent } from '../../host/log.ts';
import { textFormOf } from '../http/tool-call.ts';

/** What the process behind the pipe provides. */
export interface PipeHost {
  /** Serves exactly these folders from now on; the handshake calls it first. */
  set(projects: readonly WindowProject[]): Promise<readonly ProjectOutcome[]>;
  /** The gate of a project, or of the window's first when no root is given; E_PROJECT_NOT_OPEN when there is none. */
  gateOf(root: string | undefined): Gate;
  status(signal: AbortSignal): Promise<SidecarStatus['projects']>;
  /** The editor asked the process to end. Called after its request was answered. */
  end(): void;
}

/** Another message that the pipe answers after the handshake. */
export interface PipeAnswer {
  readonly offer: (peer: Peer, greeted: () => Promise<unknown>) => void;
}

/** Declares the handler of a message that only the process behind the pipe can answer. */
export function pipeAnswer<Params, Result>(
  method: Method<Params, Result>,
  handler: (params: Params, signal: AbortSignal) => Promise<Result>,
): PipeAnswer {
  return {
    offer: (peer, greeted) =>
      peer.answer(method, async (params, signal) => {
        await greeted();
        return handler(params, signal);
      }),
  };
}

export interface PipeOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  readonly host: PipeHost;
  /** Handlers of messages that are not about projects or tools. */
  readonly answers?: readonly PipeAnswer[];
  readonly editor: Editor;
  /** Counts answers that are written and not yet read. */
  readonly room: AnswerRoom;
  readonly log: LogEvent;
  /** The pipe closed, for whatever reason: the editor is gone. */
  readonly onClosed: () => void;
}

/** The editor's door: serves the pipe from the gates, and attaches the editor for calls the other way. */
export function openPipe(options: PipeOptions): Peer {
  const { editor, log } = options;
  const reader = new StreamMessageReader(options.input);
  // Its timer for half a message has no listener, and would delay the end of the process.
  reader.partialMessageTimeout = 0;
  const writer = new CountingWriter(options.output, options.room);
  const peer: Peer = new Peer({
    reader,
    writer,
    gone: notAttached,
    onFault: (error) => log('pipe-fault', { error: String(error) }),
    onClosed: () => {
      editor.detach(peer);
      writer.unwatch();
      options.onClosed();
    },
  });
  answerAll(peer, options);
  peer.listen();
  return peer;
}

/** Counts the answers of tools still waiting to be written: the library queues them out of sight. */
class CountingWriter extends StreamMessageWriter {
  readonly unwatch: () => void;
  readonly #room: AnswerRoom;
  #unread = 0;

  constructor(output: Writable, room: AnswerRoom) {
    super(output);
    this.#room = room;
    this.unwatch = room.watch(() => this.#unread);
  }

  override async write(message: Message): Promise<void> {
    const chars = answerOf(message).length;
    this.#unread += chars;
    try {
      await super.write(message);
    } finally {
      this.#unread -= chars;
      if (chars > 0) this.#room.look();
    }
  }
}

/** The text of a tool's answer; empty for any other message. */
function answerOf(message: Message): string {
  const result: unknown = Reflect.get(message, 'result');
  if (typeof result !== 'object' || result === null || !('text' in result)) return '';
  return typeof result.text === 'string' ? result.text : '';
}

function answerAll(peer: Peer, { host, editor, version, answers = [] }: PipeOptions): void {
  let greeting: Promise<readonly ProjectOutcome[]> | undefined;
  const greeted = (): Promise<unknown> => {
    if (greeting === undefined)
      throw new AppError('E_INTERNAL', `The first message on the pipe must be ${hello.name}.`);
    return greeting;
  };
  peer.answer(hello, async (params) => {
    checkPipeVersion(params.pipeVersion, params.version, version);
    if (greeting !== undefined) throw new AppError('E_INTERNAL', 'The handshake has already taken place.');
    // Before the projects are opened, so that their errors are reported to the user.
    editor.attach(peer, params.editor, params.linkOpener);
    greeting = host.set(params.projects);
    return { pipeVersion: PIPE_VERSION, version, pid: process.pid, projects: [...(await greeting)] };
  });
  const own = [
    pipeAnswer(setProjects, async ({ projects }) => ({ projects: [...(await host.set(projects))] })),
    pipeAnswer(runTool, async (params, signal) => {
      const caller = pipeCaller(peer, editor, params, signal);
      const gate = host.gateOf(params.root);
      const envelope = await gate.run(params.tool, params.input, caller);
      return { ok: envelope.ok, text: envelopeText(envelope, textFormOf(gate.tools, params.tool)) };
    }),
    pipeAnswer(status, async (_params, signal) => {
      return { version, pid: process.pid, projects: await host.status(signal) };
    }),
  ];
  for (const answer of [...own, ...answers]) answer.offer(peer, greeted);
  peer.answer(shutdown, async () => {
    // On the next turn, so that the answer is written before the pipe closes.
    setImmediate(() => host.end());
    return {};
  });
}

function pipeCaller(
  peer: Peer,
  editor: Editor,
  { call, client, confirmed }: ParamsOf<typeof runTool>,
  signal: AbortSignal,
): Caller {
  return {
    door: 'pipe',
    clientId: client.id,
    clientName: clientNameText(client.name),
    signal,
    progress: (progress) => peer.tell(toolProgress, { call, ...progress }),
    ask: (question, askSignal) => editor.ask(question, askSignal),
    confirmed,
  };
}
