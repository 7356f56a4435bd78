import { isAbsolute, join } from 'node:path';
import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import { nameText, pathText, plain } from '@devdb/shared/plain-text';
import { ownConnections } from '@devdb/shared/protocol/connection-methods';
import { linkTo } from '@devdb/shared/table-link';
import * as vscode from 'vscode';
import { editorText } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { linkOpener } from '../../window/link-opener.ts';
import type { Reports } from '../../window/reports.ts';
import type { Diagrams } from '../diagram/diagrams.ts';
import { askFilter } from './ask-filter.ts';
import type { Browser } from './browser.ts';
import type { DatabaseTree } from './database-tree.ts';
import { showDiagram } from './diagram-command.ts';
import type { TreeNode } from './nodes.ts';
import { selectText } from './schema-text.ts';

const COPIED_SHOWN_MS = 3_000;

export interface DatabaseCommandParts {
  readonly tree: DatabaseTree;
  readonly browser: Browser;
  readonly diagrams: Diagrams;
  readonly reports: Reports;
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  readonly roots: () => readonly string[];
  readonly signal: AbortSignal;
}

/** What the rows of the tree offer. */
export type DatabaseCommand = keyof typeof COMMANDS;

export const COMMANDS = {
  refresh: async (_node, { tree }) => tree.refresh(),
  filter: (_node, { tree }) => askFilter(tree.filter, (filter) => tree.filterBy(filter)),
  showAll: async (_node, { tree }) => tree.filterBy(''),
  newQuery: (node) => newQuery(node),
  copyName: (node) => copyName(node),
  copySelect: (node, parts) => copySelect(node, parts),
  copyLink: (node) => copyLink(node),
  openData: (node, parts) => openData(node, parts),
  showDdl: (node, parts) => showDdl(node, parts),
  revealSource: (node) => revealSource(node),
  approve: (node, parts) => approve(node, parts),
  setPassword: (node, parts) => setPassword(node, parts),
  addSuggested: (_node, parts) => addSuggested(parts),
  showDiagram: (node, parts) => showDiagram(node, parts),
} as const satisfies Record<string, (node: TreeNode | undefined, parts: DatabaseCommandParts) => Promise<void>>;

async function copyName(node: TreeNode | undefined): Promise<void> {
  if (node?.kind === 'column') await copy(node.column.name);
  if (node?.kind === 'table' || node?.kind === 'schema') await copy(node.name);
  if (node?.kind === 'connection') await copy(node.connection.name);
}

async function copySelect(node: TreeNode | undefined, { tree }: DatabaseCommandParts): Promise<void> {
  if (node?.kind !== 'table') return;
  const { root, connection, name } = node;
  await copy(selectText(name, await tree.columns(root, connection, name), connection.type));
}

/** An address that opens the table in this editor, also from a document or a chat. */
async function copyLink(node: TreeNode | undefined): Promise<void> {
  if (node?.kind !== 'table') return;
  const { root, connection, name: table } = node;
  await copy(linkTo(linkOpener(), { root, connection: connection.id, table }));
}

/** An empty text whose statements run on this database. */
async function newQuery(node: TreeNode | undefined): Promise<void> {
  if (node?.kind !== 'connection') return;
  const { root, connection } = node;
  await vscode.commands.executeCommand('devdb.query.openStatement', { root, connection: connection.id, query: '' });
}

/** The first rows of a table. */
async function openData(node: TreeNode | undefined, { tree }: DatabaseCommandParts): Promise<void> {
  if (node?.kind !== 'table') return;
  const { root, connection, name } = node;
  const columns = (await tree.columns(root, connection, name)).map((column) => column.name);
  const table = { root, connection: connection.id, table: name, columns, kind: connection.type };
  await vscode.commands.executeCommand('devdb.query.openRows', table);
}

async function showDdl(node: TreeNode | undefined, { browser, reports }: DatabaseCommandParts): Promise<void> {
  if (node?.kind !== 'table') return;
  const { root, connection, name } = node;
  // The ending gives the text its colors.
  const title = plain`${nameText(connection.name)} ${nameText(name.replaceAll('/', '_'))}.sql`;
  await reports.show(title, await browser.schema(root, connection.id, name));
}

/** Opens the file that a connection was found in, or that was left out, at its line. */
async function revealSource(node: TreeNode | undefined): Promise<void> {
  const place = node?.kind === 'connection' ? node.connection.source : node?.kind === 'place' ? node.place : undefined;
  if (node === undefined || place === undefined || !('root' in node)) return;
  const file = isAbsolute(place.file) ? place.file : join(node.root, place.file);
  const at = new vscode.Position(Math.max(0, (place.line ?? 1) - 1), 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
  } catch {
    // The editor's own error says nothing of a source that is no file, such as the environment.
    void vscode.window.showInformationMessage(editorText`${pathText(place.file)} cannot be shown in the editor.`);
  }
}

/** A look into it asks the question; a yes opens it. */
async function approve(node: TreeNode | undefined, { browser, tree }: DatabaseCommandParts): Promise<void> {
  if (node?.kind !== 'connection') return;
  try {
    await browser.tables(node.root, node.connection.id);
  } finally {
    tree.refresh();
  }
}

async function setPassword(node: TreeNode | undefined, { client, tree, signal }: DatabaseCommandParts): Promise<void> {
  if (node?.kind !== 'connection') return;
  const options = { signal, timeoutMs: HANDSHAKE_TIMEOUT_MS };
  const { connections } = await (await client(signal)).call(ownConnections, { root: node.root }, options);
  if (connections.some(({ id, login }) => id === node.connection.id && login !== undefined)) {
    await vscode.commands.executeCommand('devdb.setPassword', { root: node.root, id: node.connection.id });
    tree.refresh();
    return;
  }
  const where = pathText(node.connection.source.file);
  void vscode.window.showInformationMessage(
    editorText`${nameText(node.connection.name)} takes its password from ${where}. Change it there.`,
  );
}

/** Begins the wizard with what was half understood. */
async function addSuggested({ client, roots, signal }: DatabaseCommandParts): Promise<void> {
  const [root] = roots();
  if (root === undefined) return;
  const { suggestion } = await (await client(signal)).doctorText(root, signal);
  await vscode.commands.executeCommand(
    'devdb.addConnection',
    suggestion && { root, connection: suggestion.connection },
  );
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(editorText`DevDB: copied`, COPIED_SHOWN_MS);
}
