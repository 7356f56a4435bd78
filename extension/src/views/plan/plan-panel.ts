import { AppError } from '@devdb/shared/errors';
import { ASK_TIMEOUT_MS, GATE_GRACE_MS, MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { nameText, plain } from '@devdb/shared/plain-text';
import { explainForPerson } from '@devdb/shared/protocol/plan-methods';
import * as vscode from 'vscode';
import { editorText, forEditor } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { loadPage } from '../frame/load-page.ts';
import { type KeptPlan, keepable } from './kept-plan.ts';
import { type FromPlanPage, fromPlanPageSchema, type ShownExplain, type ToPlanPage } from './page-messages.ts';

/** Longer than the gate's own deadline, which is the one that counts. */
const EXPLAIN_LIMIT_MS = MAX_QUERY_TIMEOUT_MS + ASK_TIMEOUT_MS + GATE_GRACE_MS;
const COPIED_SHOWN_MS = 3_000;

/** A statement, and where it would run. */
export interface Explained {
  readonly root: string;
  readonly connection: string | undefined;
  readonly query: string;
}

export interface PlanTab {
  readonly key: string;
  readonly title: string;
  /** A tab that was there before its window was reloaded, and what was explained in it. */
  readonly left?: { readonly panel: vscode.WebviewPanel; readonly explained: Explained };
}

export interface PlanParts {
  /** The extension's folder. */
  readonly extensionUri: vscode.Uri;
  /** Whether the editor may keep statements over a reload. */
  readonly mayKeep: () => boolean;
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  /** Opens a statement in an editor, with its database chosen. */
  readonly open: (statement: Explained) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** The tab with the plan of a statement. */
export class PlanPanel {
  readonly #tab: PlanTab;
  readonly #parts: PlanParts;
  readonly #panel: vscode.WebviewPanel;
  #explained: Explained | undefined;
  #shown: ShownExplain = { statement: '', state: 'running', isMeasuring: false, problem: '' };
  #running = new AbortController();
  #isReady = false;

  constructor(tab: PlanTab, parts: PlanParts, onClosed: () => void) {
    this.#tab = tab;
    this.#parts = parts;
    const { title, left } = tab;
    this.#panel =
      left?.panel ??
      vscode.window.createWebviewPanel(
        'devdb.plan',
        forEditor(plain`Plan: ${nameText(title)}`),
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { retainContextWhenHidden: true },
      );
    if (left !== undefined) {
      this.#explained = left.explained;
      this.#shown = { statement: left.explained.query, state: 'left', isMeasuring: false, problem: '' };
    }
    const { webview } = this.#panel;
    webview.onDidReceiveMessage((raw: unknown) => this.#hear(raw));
    this.#panel.onDidDispose(() => {
      this.#isReady = false;
      this.#running.abort();
      onClosed();
    });
    loadPage(webview, parts.extensionUri, {
      view: 'plan',
      main: '<main id="plan"><h1 class="unseen">Plan</h1></main>',
    });
  }

  /** Shows the plan of this statement; what was shown before goes. */
  async show(explained: Explained): Promise<void> {
    this.#explained = explained;
    this.#shown = { statement: explained.query, state: 'running', isMeasuring: false, problem: '' };
    if (!this.#panel.visible) this.#panel.reveal(undefined, true);
    await this.#explain(false);
  }

  /** Closes the tab. */
  close(): void {
    this.#panel.dispose();
  }

  async #explain(measure: boolean): Promise<void> {
    const explained = this.#explained;
    if (explained === undefined) return;
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.#tell({ state: 'running', isMeasuring: measure, problem: '' });
    const change = await this.#outcome(explained, measure, running.signal);
    // A newer request has its own outcome.
    if (this.#running === running) this.#tell(change);
  }

  async #outcome(explained: Explained, analyze: boolean, signal: AbortSignal): Promise<Partial<ShownExplain>> {
    const { root, connection, query } = explained;
    try {
      const client = await this.#parts.client(signal);
      const params = { root, query, analyze, ...(connection === undefined ? {} : { connection }) };
      const plan = await client.call(explainForPerson, params, { signal, timeoutMs: EXPLAIN_LIMIT_MS });
      return { state: 'done', plan };
    } catch (error) {
      if (signal.aborted) return { state: 'cancelled' };
      if (!(error instanceof AppError)) this.#parts.onFault(error);
      const { message, hint } = error instanceof AppError ? error : { message: 'That failed.' };
      return { state: 'failed', problem: hint === undefined ? message : `${message} ${hint}` };
    }
  }

  #hear(raw: unknown): void {
    const message = fromPlanPageSchema.safeParse(raw);
    if (message.success) this.#answer(message.data).catch(this.#parts.onFault);
    else this.#parts.onFault(message.error);
  }

  async #answer(message: FromPlanPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        return this.#tell({});
      case 'cancel':
        return this.#running.abort();
      case 'explain':
        return this.#explain(message.measure);
      case 'copy-index':
        return copy(this.#indexOf(message.flag));
      case 'copy-source':
        return copy(this.#shown.plan?.source);
      case 'open-index':
        return this.#open(this.#indexOf(message.flag));
    }
  }

  get #kept(): KeptPlan | undefined {
    const { key, title } = this.#tab;
    return this.#explained && this.#parts.mayKeep() ? keepable({ key, title, ...this.#explained }) : undefined;
  }

  /** The statement that creates the index of a flag. */
  #indexOf(flag: number): string | undefined {
    return this.#shown.plan?.flags[flag]?.createIndex;
  }

  async #open(query: string | undefined): Promise<void> {
    if (query !== undefined && this.#explained !== undefined) await this.#parts.open({ ...this.#explained, query });
  }

  #tell(change: Partial<ShownExplain>): void {
    this.#shown = { ...this.#shown, ...change };
    const message: ToPlanPage = { kind: 'explain', shown: this.#shown, kept: this.#kept };
    if (this.#isReady) void this.#panel.webview.postMessage(message);
  }
}

async function copy(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(editorText`DevDB: copied`, COPIED_SHOWN_MS);
}
