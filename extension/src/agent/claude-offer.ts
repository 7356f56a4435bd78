import { plain, sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../editor-text.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { Toasts } from '../window/toasts.ts';

const OFFERED = 'devdb.claudeOffered';
const OFFER =
  'DevDB can register with Claude Code once for all your projects, so that it also works in those without a .mcp.json.';
const SET_UP = 'Set up';
const NOT_NOW = 'Not now';
const DONE_SHOWN_MS = 6_000;
/** Claude Code's own command starts a program and writes a file. */
const SET_UP_LIMIT_MS = 60_000;
const LOOK_LIMIT_MS = 10_000;

export interface ClaudeOfferParts {
  /** The sidecar, once it runs. */
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  /** Remembers that the offer was made. */
  readonly memory: vscode.Memento;
  readonly toasts: Toasts;
  readonly signal: AbortSignal;
}

/** The offer to add DevDB to Claude Code for all the user's projects, where Claude Code is installed and lacks it. */
export class ClaudeOffer {
  readonly #parts: ClaudeOfferParts;
  #looked = false;

  constructor(parts: ClaudeOfferParts) {
    this.#parts = parts;
  }

  /** Makes the offer once; called whenever the sidecar runs. */
  async sidecarRuns(): Promise<void> {
    const { client, memory, signal } = this.#parts;
    if (this.#looked || memory.get<boolean>(OFFERED, false)) return;
    this.#looked = true;
    const sidecar = await client(signal);
    const { claudeUserScope } = await import('@devdb/shared/protocol/advertise-methods');
    const { state } = await sidecar.call(claudeUserScope, {}, { signal, timeoutMs: LOOK_LIMIT_MS });
    if (state !== 'none') return;
    // Stored before the answer: a window that is closed meanwhile has made the offer.
    await memory.update(OFFERED, true);
    const choice = await vscode.window.showInformationMessage(OFFER, SET_UP, NOT_NOW);
    if (choice === SET_UP) await setUpClaudeCode(this.#parts);
  }
}

/** Adds DevDB to Claude Code's own file. A failure is shown as a message, success in the status bar. */
export async function setUpClaudeCode({ client, toasts, signal }: Omit<ClaudeOfferParts, 'memory'>): Promise<void> {
  const sidecar = await client(signal);
  const { setUpClaude } = await import('@devdb/shared/protocol/advertise-methods');
  const progress = { location: vscode.ProgressLocation.Window, title: 'DevDB: setting up Claude Code' };
  const { done, message } = await vscode.window.withProgress(progress, () =>
    sidecar.call(setUpClaude, {}, { signal, timeoutMs: SET_UP_LIMIT_MS }),
  );
  const told = plain`DevDB: ${sentenceText(message)}`;
  if (!done) return toasts.tell({ level: 'error', message: told });
  toasts.tell({ level: 'info', message: told });
  vscode.window.setStatusBarMessage(forEditor(told), DONE_SHOWN_MS);
}
