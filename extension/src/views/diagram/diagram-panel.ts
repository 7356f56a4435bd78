import { AppError } from '@devdb/shared/errors';
import { nameText, type PlainText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import { loadPage } from '../frame/load-page.ts';
import { savePicture } from '../frame/save-picture.ts';
import type { KeptDiagram } from './kept-diagram.ts';
import { layOut } from './layout.ts';
import { type FromPage, fromPageSchema, type PlaceRequest, type SchemaGraph, type ToPage } from './page-messages.ts';

/** What a diagram is of. */
export interface DiagramSubject {
  readonly kept: KeptDiagram;
  readonly read: () => Promise<SchemaGraph>;
  readonly openData: (table: string) => Promise<void>;
}

export interface DiagramPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly onFault: (error: unknown) => void;
  readonly onClosed: () => void;
}

/** The tab with a diagram: reads the schema, has it laid out, and does what its user asks for. */
export class DiagramPanel {
  readonly #subject: DiagramSubject;
  readonly #parts: DiagramPanelParts;
  readonly #panel: vscode.WebviewPanel;
  readonly #closed = new AbortController();

  constructor(subject: DiagramSubject, parts: DiagramPanelParts, left?: vscode.WebviewPanel) {
    this.#subject = subject;
    this.#parts = parts;
    this.#panel =
      left ??
      vscode.window.createWebviewPanel('devdb.diagram', forEditor(titleOf(subject.kept)), vscode.ViewColumn.Active, {
        retainContextWhenHidden: true,
      });
    const { webview } = this.#panel;
    webview.onDidReceiveMessage((raw: unknown) => this.#hear(raw));
    this.#panel.onDidDispose(() => {
      this.#closed.abort();
      parts.onClosed();
    });
    // Pictures are those that the page makes itself, for a file.
    loadPage(webview, parts.extensionUri, {
      view: 'diagram',
      main: '<main id="diagram"><h1 class="unseen">Diagram</h1></main>',
      more: 'img-src data:; ',
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  #hear(raw: unknown): void {
    const message = fromPageSchema.safeParse(raw);
    if (message.success) this.#answer(message.data).catch((error: unknown) => this.#tellProblem(error));
    else this.#parts.onFault(message.error);
  }

  async #answer(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
      case 'refresh': {
        const { kept, read } = this.#subject;
        return this.#post({ kind: 'graph', graph: await read(), title: titleOf(kept), kept });
      }
      case 'place':
        return this.#place(message.ask, message);
      case 'openData':
        return this.#subject.openData(message.table);
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return this.#post({ kind: 'done', message: `Copied ${message.what}.` });
      case 'saveText':
        return this.#save('svg', new TextEncoder().encode(message.text));
      case 'savePicture':
        return this.#save('png', Buffer.from(message.base64, 'base64'));
    }
  }

  async #place(ask: number, { tables, keys }: PlaceRequest): Promise<void> {
    const thread = vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'views', 'diagram-layout.js').fsPath;
    try {
      const placed = await layOut({ tables, keys }, thread, this.#closed.signal);
      this.#post({ kind: 'placed', ask, placed });
    } catch (error) {
      if (!(error instanceof AppError)) this.#parts.onFault(error);
      this.#post({ kind: 'refused', ask, message: sentencesOf(error) });
    }
  }

  async #save(form: 'svg' | 'png', bytes: Uint8Array): Promise<void> {
    const { kept } = this.#subject;
    const [title, folder] = [titleOf(kept), kept.root];
    const path = await savePicture({ form, bytes, title, folder, heading: 'Save the diagram' });
    if (path !== undefined) this.#post({ kind: 'done', message: plain`Saved as ${pathText(path)}.` });
  }

  #tellProblem(error: unknown): void {
    if (!(error instanceof AppError)) this.#parts.onFault(error);
    this.#post({ kind: 'problem', message: sentencesOf(error) });
  }

  #post(message: ToPage): void {
    if (!this.#closed.signal.aborted) void this.#panel.webview.postMessage(message);
  }
}

function sentencesOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'That failed. "DevDB: View log" says more.';
  const { message, hint } = error;
  return hint === undefined ? sentenceText(message) : `${sentenceText(message)} ${sentenceText(hint)}`;
}

function titleOf({ database, schema, table }: KeptDiagram): PlainText {
  const of = plain`Diagram: ${nameText(database)}`;
  const scope = schema?.name ?? table;
  return scope === undefined ? of : plain`${of} ${nameText(scope)}`;
}
