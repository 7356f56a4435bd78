import { AppError } from '@devdb/shared/errors';
import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import { sentenceText } from '@devdb/shared/plain-text';
import { type CallDetails, callDetails, stopCall, watchActivity } from '@devdb/shared/protocol/activity-methods';
import {
  type FromActivityPage,
  fromActivityPageSchema,
  type ToActivityPage,
} from '@devdb/shared/protocol/activity-page';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import * as vscode from 'vscode';
import { editorText } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import type { AlwaysAsk } from '../../window/always-ask.ts';
import { loadPage } from '../frame/load-page.ts';
import { ActivityFeed } from './activity-feed.ts';

const COPIED_SHOWN_MS = 3_000;

export interface ActivityViewParts {
  readonly extensionUri: vscode.Uri;
  readonly client: () => SidecarClient | undefined;
  /** The clients about whose every call the user is asked. */
  readonly alwaysAsk: AlwaysAsk;
  /** Tells the sidecar what the user has chosen. */
  readonly onChosen: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** Aborts with the extension. */
  readonly signal: AbortSignal;
}

/** The host side of the activity page: passes it what the sidecar reports, and does what its user asks for. */
export class ActivityView {
  readonly #parts: ActivityViewParts;
  readonly #feed: ActivityFeed<SidecarClient>;
  readonly #pages = new Set<vscode.WebviewView>();

  constructor(parts: ActivityViewParts) {
    this.#parts = parts;
    const { client, onFault } = parts;
    this.#feed = new ActivityFeed({
      client,
      onFault,
      watch: async (sidecar, on, signal) =>
        (await sidecar.call(watchActivity, { on }, { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS })).calls,
      onCalls: (calls, isWhole) => this.#post({ kind: 'calls', calls, isWhole }),
    });
  }

  /** Fills a view that is shown for the first time. */
  show(view: vscode.WebviewView): void {
    this.#pages.add(view);
    view.onDidChangeVisibility(() => this.#update());
    view.onDidDispose(() => {
      this.#pages.delete(view);
      this.#update();
    });
    view.webview.onDidReceiveMessage((raw: unknown) => {
      const message = fromActivityPageSchema().safeParse(raw);
      if (message.success) this.#hear(message.data).catch(this.#parts.onFault);
    });
    loadPage(view.webview, this.#parts.extensionUri, {
      view: 'activity',
      main: '<main aria-label="What agents do"><h1 class="unseen">Activity</h1></main>',
    });
  }

  heard(calls: readonly CallRecord[]): void {
    this.#feed.heard(calls);
  }

  sidecarChanged(): void {
    this.#feed.sidecarChanged();
  }

  dispose(): void {
    this.#feed.dispose();
  }

  /** A view that is not shown costs the sidecar nothing. */
  #update(): void {
    const isShown = [...this.#pages].some(({ visible }) => visible);
    if (!isShown) this.#feed.watch(false);
  }

  async #hear(message: FromActivityPage): Promise<void> {
    if (message.kind === 'ready') {
      this.#tellAsked();
      this.#post({ kind: 'calls', calls: this.#feed.calls, isWhole: true });
      this.#feed.watch(true);
    } else if (message.kind === 'setUp') await vscode.commands.executeCommand('devdb.copySetup');
    else if (message.kind === 'alwaysAsk') await this.#choose(message.client, message.on);
    else await this.#reporting(message.id, () => this.#act(message.kind, message.id));
  }

  /** The page shows the choice when it holds. */
  async #choose(client: string, on: boolean): Promise<void> {
    const { alwaysAsk, onChosen } = this.#parts;
    await alwaysAsk.set(client, on);
    await onChosen();
    this.#tellAsked();
  }

  #tellAsked(): void {
    this.#post({ kind: 'alwaysAsk', clients: this.#parts.alwaysAsk.names });
  }

  async #act(kind: 'stop' | 'details' | 'copy' | 'open' | 'plan', id: string): Promise<void> {
    if (kind === 'stop') {
      await this.#sidecar().call(stopCall, { id }, this.#options);
      return;
    }
    const details = await this.#sidecar().call(callDetails, { id }, this.#options);
    if (kind === 'details') this.#post({ kind: 'details', id, details });
    if (kind === 'copy') await copy(details);
    if (kind === 'open' || kind === 'plan') await this.#useStatement(kind, id, details);
  }

  /** What the person does with a statement is theirs, not the agent's: it takes the way of a .sql file. */
  async #useStatement(kind: 'open' | 'plan', id: string, { statement, databaseId }: CallDetails): Promise<void> {
    const root = this.#feed.calls.find((call) => call.id === id)?.root;
    if (root === undefined || statement === undefined) return;
    const command = { open: 'devdb.query.openStatement', plan: 'devdb.query.explainStatement' }[kind];
    const given = { root, query: statement, ...(databaseId === undefined ? {} : { connection: databaseId }) };
    await vscode.commands.executeCommand(command, given);
  }

  /** The page shows what went wrong beside the call. */
  async #reporting(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#post({ kind: 'problem', id, message: sentenceText(error.message) });
    }
  }

  get #options() {
    return { signal: this.#parts.signal, timeoutMs: HANDSHAKE_TIMEOUT_MS };
  }

  #sidecar(): SidecarClient {
    const client = this.#parts.client();
    if (client !== undefined) return client;
    throw new AppError('E_UNREACHABLE', 'DevDB is not running in this window, so there is no more of this call.');
  }

  #post(message: ToActivityPage): void {
    for (const { webview } of this.#pages) void webview.postMessage(message);
  }
}

async function copy({ statement, input }: CallDetails): Promise<void> {
  await vscode.env.clipboard.writeText(statement ?? input ?? '');
  vscode.window.setStatusBarMessage(editorText`DevDB: copied`, COPIED_SHOWN_MS);
}
