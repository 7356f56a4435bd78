import { basename } from 'node:path';
import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import { nameText, plain, sentenceText } from '@devdb/shared/plain-text';
import { forgetStatements, queryHistory, type RanStatement } from '@devdb/shared/protocol/history-methods';
import * as vscode from 'vscode';
import { editorLines, editorText, forEditor } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { factsOf, lineOf } from './ran-words.ts';

const COPIED_SHOWN_MS = 3_000;
/** A tooltip with more would cover the editor. */
const MAX_TOOLTIP_CHARS = 2_000;

/** A statement in the list, and the project it was run in. */
export interface RanRow {
  readonly root: string;
  readonly ran: RanStatement;
}

export interface HistoryViewParts {
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  readonly isRunning: () => boolean;
  readonly roots: () => readonly string[];
  /** The list is to be read again. */
  readonly onChanged: () => void;
  /** Aborts with the extension. */
  readonly signal: AbortSignal;
}

/** The statements that the person has run in the window's projects, and what can be done with one. */
export class HistoryView {
  readonly #parts: HistoryViewParts;

  constructor(parts: HistoryViewParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async rows(): Promise<RanRow[]> {
    const { isRunning, roots, client, signal } = this.#parts;
    if (!isRunning()) return [];
    const sidecar = await client(signal);
    const all = await Promise.all(
      roots().map(async (root) => {
        const { statements } = await sidecar.call(queryHistory, { root }, this.#options);
        return statements.map((ran) => ({ root, ran }));
      }),
    );
    return all.flat().sort((one, other) => (one.ran.startedAt < other.ran.startedAt ? 1 : -1));
  }

  item(row: RanRow): vscode.TreeItem {
    const { ran } = row;
    const item = new vscode.TreeItem(forEditor(sentenceText(lineOf(ran))));
    item.id = ran.id;
    item.description = forEditor(sentenceText(factsOf(ran, new Date())));
    item.tooltip = this.#tooltip(row);
    item.iconPath = iconOf(ran);
    // A statement without its credentials would not do what it did.
    item.contextValue = ran.lacksSecrets === true ? 'ran-partly' : 'ran';
    item.command = { title: 'Open in an editor', command: 'devdb.history.open', arguments: [row] };
    return item;
  }

  /** Lets the person find one by any of its words. */
  async search(): Promise<void> {
    const rows = await this.rows();
    const choices = rows.map((row) => ({
      label: forEditor(sentenceText(lineOf(row.ran))),
      description: forEditor(sentenceText(factsOf(row.ran, new Date()))),
      row,
    }));
    const options = { title: 'Open which statement?', matchOnDescription: true };
    const chosen = await vscode.window.showQuickPick(choices, options);
    if (chosen !== undefined) await this.open(chosen.row);
  }

  async run(row: RanRow | undefined): Promise<void> {
    if (row !== undefined) await vscode.commands.executeCommand('devdb.query.openData', given(row));
  }

  async open(row: RanRow | undefined): Promise<void> {
    if (row !== undefined) await vscode.commands.executeCommand('devdb.query.openStatement', given(row));
  }

  async copy(row: RanRow | undefined): Promise<void> {
    if (row === undefined) return;
    await vscode.env.clipboard.writeText(row.ran.statement);
    vscode.window.setStatusBarMessage(editorText`DevDB: copied`, COPIED_SHOWN_MS);
  }

  async delete(row: RanRow | undefined): Promise<void> {
    if (row !== undefined) await this.#forget(row.root, { id: row.ran.id });
  }

  /** Deletes all after a yes: there is no way back. */
  async deleteAll(): Promise<void> {
    const question = 'Delete the history of the statements that you ran in this window’s projects?';
    const yes = 'Delete';
    if ((await vscode.window.showWarningMessage(question, { modal: true }, yes)) !== yes) return;
    for (const root of this.#parts.roots()) await this.#forget(root, {});
  }

  async #forget(root: string, which: { readonly id?: string }): Promise<void> {
    const sidecar = await this.#parts.client(this.#parts.signal);
    await sidecar.call(forgetStatements, { root, ...which }, this.#options);
    this.#parts.onChanged();
  }

  #tooltip({ root, ran }: RanRow) {
    const { statement, error } = ran;
    const lines = statement.slice(0, MAX_TOOLTIP_CHARS).split(/\r\n|[\r\n]/);
    return editorLines([
      ...lines.map((line) => forEditor(sentenceText(line))),
      ...(error === undefined ? [] : [forEditor(sentenceText(error.message))]),
      ...(ran.lacksSecrets === true ? [editorText`Its credentials were not kept.`] : []),
      ...(this.#parts.roots().length > 1 ? [forEditor(plain`In ${nameText(basename(root))}`)] : []),
    ]);
  }

  get #options() {
    return { signal: this.#parts.signal, timeoutMs: HANDSHAKE_TIMEOUT_MS };
  }
}

function given({ root, ran: { connection, statement } }: RanRow) {
  return { root, query: statement, ...(connection === undefined ? {} : { connection }) };
}

function iconOf({ error }: RanStatement): vscode.ThemeIcon {
  if (error === undefined) return new vscode.ThemeIcon('pass');
  if (error.code === 'E_CANCELLED') return new vscode.ThemeIcon('circle-slash');
  return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
}
