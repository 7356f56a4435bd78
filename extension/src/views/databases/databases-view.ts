import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import type { Reports } from '../../window/reports.ts';
import { Diagrams } from '../diagram/diagrams.ts';
import { Browser } from './browser.ts';
import { COMMANDS, type DatabaseCommand, type DatabaseCommandParts } from './database-commands.ts';
import { DatabaseTree } from './database-tree.ts';
import { restoreDiagram } from './diagram-command.ts';
import { LinkedTables, type LinkQuestion } from './linked-tables.ts';
import type { TreeNode } from './nodes.ts';
import type { LinkParts } from './table-link.ts';

export interface DatabasesViewParts {
  readonly extensionUri: vscode.Uri;
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  readonly roots: () => readonly string[];
  readonly reports: Reports;
  readonly onFault: (error: unknown) => void;
  /** The tree shows only tables whose names have these words; all of them with an empty text. */
  readonly onFilter: (filter: string) => void;
  /** Aborts with the extension. */
  readonly signal: AbortSignal;
}

/** The tree of databases and what its rows offer. */
export class DatabasesView {
  readonly tree: DatabaseTree;
  readonly #parts: DatabaseCommandParts;
  readonly #onFault: (error: unknown) => void;
  readonly #links: LinkedTables;

  constructor({ extensionUri, client, roots, reports, onFault, onFilter, signal }: DatabasesViewParts) {
    const browser = new Browser(client, signal);
    this.#onFault = onFault;
    this.tree = new DatabaseTree({
      browser,
      roots,
      onFault,
      onFilter,
      onNothing: (isNothing) => this.#tellNothing(isNothing),
    });
    const diagrams = new Diagrams({ extensionUri, onFault });
    this.#links = new LinkedTables({
      browser,
      roots,
      ask: askAboutLink,
      open: (table) => this.run('openData', table),
    });
    this.#parts = { tree: this.tree, browser, diagrams, reports, client, roots, signal };
  }

  run(command: DatabaseCommand, node: TreeNode | undefined): Promise<void> {
    return COMMANDS[command](node, this.#parts);
  }

  /** Takes over a tab that was there before the window was reloaded. */
  restoreDiagram(panel: vscode.WebviewPanel, state: unknown): void {
    restoreDiagram(panel, state, this.#parts);
  }

  /** Opens what a link names, after a question. */
  openLink(address: LinkParts): Promise<void> {
    return this.#links.open(address);
  }

  /** The welcome view says what can be done: a database that was half understood needs only the rest. */
  #tellNothing(isNothing: boolean): void {
    void vscode.commands.executeCommand('setContext', 'devdb.noDatabase', isNothing);
    if (isNothing) this.#lookForSuggestion().catch(this.#onFault);
  }

  async #lookForSuggestion(): Promise<void> {
    const { client, roots, signal } = this.#parts;
    const [root] = roots();
    if (root === undefined) return;
    const { suggestion } = await (await client(signal)).doctorText(root, signal);
    await vscode.commands.executeCommand('setContext', 'devdb.suggestion', suggestion !== undefined);
  }
}

async function askAboutLink({ title, detail }: LinkQuestion): Promise<boolean> {
  const options = { modal: true, detail: forEditor(detail) };
  return (await vscode.window.showWarningMessage(forEditor(title), options, 'Open')) === 'Open';
}
