import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { notifyPerson } from '@devdb/shared/protocol/editor-methods';
import { hello, PIPE_VERSION, type ProjectSettings } from '@devdb/shared/protocol/handshake';
import type { Method } from '@devdb/shared/protocol/method';
import { Peer } from '@devdb/shared/protocol/peer';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { DIST } from './start-sidecar.ts';

/** An editor window as its sidecar sees it: the other end of the pipe. */
export interface TestWindow {
  readonly process: ChildProcess;
  /** The messages shown to the editor's user. */
  readonly told: readonly string[];
  /** Registers further handlers of the editor. */
  offer(answers: (peer: Peer) => void): void;
  call<Params, Result>(method: Method<Params, Result>, params: Params, signal?: AbortSignal): Promise<Result>;
  /** Closes the pipe, as an editor does when it ends or is killed, and resolves to the sidecar's exit code. */
  close(): Promise<number | null>;
  kill(): Promise<number | null>;
}

export interface WindowOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Further handlers of the editor. */
  readonly offer?: (peer: Peer) => void;
  /** How long messages may take; more where many windows open at once. */
  readonly timeoutMs?: number;
  readonly projects: readonly { readonly root: string; readonly settings?: Partial<ProjectSettings> }[];
}

const SETTINGS: ProjectSettings = {
  writes: 'ask',
  approvals: 'ask',
  trusted: true,
  toolsets: ['database'],
  disabledTools: [],
  mcpJson: { entry: 'stdio', inGit: false },
};

/** A window's settings, with these changes to the defaults. */
export function windowSettings(settings: Partial<ProjectSettings> = {}): ProjectSettings {
  return { ...SETTINGS, ...settings };
}

/** Starts the real sidecar as the extension does and opens the projects. */
export async function openWindow({
  home,
  env = {},
  cwd,
  projects,
  offer,
  timeoutMs = 30_000,
}: WindowOptions): Promise<TestWindow> {
  const child = spawn(process.execPath, [join(DIST, 'sidecar.js')], {
    env: { ...process.env, DEVDB_HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd,
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const told: string[] = [];
  const peer = new Peer({
    reader: new StreamMessageReader(child.stdout),
    writer: new StreamMessageWriter(child.stdin),
    gone: () => new AppError('E_UNREACHABLE', 'The sidecar is gone.'),
    onFault: () => undefined,
    onClosed: () => undefined,
  });
  peer.hear(notifyPerson, ({ message }) => told.push(message));
  offer?.(peer);
  peer.listen();
  await peer.call(
    hello,
    {
      pipeVersion: PIPE_VERSION,
      version: '0.0.0-test',
      editor: 'test',
      projects: projects.map(({ root, settings }) => ({ root, settings: windowSettings(settings) })),
    },
    { timeoutMs },
  );
  return {
    process: child,
    told,
    offer: (answers) => answers(peer),
    call: (method, params, signal) => peer.call(method, params, { timeoutMs, ...(signal && { signal }) }),
    close: () => {
      child.stdin.end();
      return exited;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exited;
    },
  };
}
