import * as vscode from 'vscode';
import type { AgentStatus } from './agent-status.ts';
import type { Debugger } from './debugger.ts';

interface Loaded {
  readonly debug: Debugger;
  readonly status: AgentStatus;
}

/** Sees every debug session from its start, and loads what looks at them with the first one. */
export class LazyDebugger {
  readonly #registered: vscode.Disposable;
  #loading: Promise<Loaded> | undefined;

  constructor() {
    this.#registered = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: async (session) => (await this.get()).track(session),
    });
  }

  readonly get = async (): Promise<Debugger> => {
    this.#loading ??= load();
    return (await this.#loading).debug;
  };

  async dispose(): Promise<void> {
    this.#registered.dispose();
    const loaded = await this.#loading;
    loaded?.status.dispose();
    loaded?.debug.dispose();
  }
}

async function load(): Promise<Loaded> {
  const [{ Debugger }, { AgentStatus }] = await Promise.all([import('./debugger.ts'), import('./agent-status.ts')]);
  const debug = new Debugger();
  return { debug, status: new AgentStatus(debug) };
}
