import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import { nameText, pathText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import { diagramTitle } from '../diagram/diagram-panel.ts';
import type { Diagrams } from '../diagram/diagrams.ts';
import type { Browser } from './browser.ts';
import { type Below, idOf, type TreeNode } from './nodes.ts';

export interface DiagramCommandParts {
  readonly browser: Pick<Browser, 'connections' | 'diagram'>;
  readonly diagrams: Diagrams;
  readonly roots: () => readonly string[];
}

/** Shows a database, a schema, or a table with its neighbours as a diagram; without a row, a database that is chosen. */
export async function showDiagram(given: TreeNode | undefined, parts: DiagramCommandParts): Promise<void> {
  const node = given ?? (await chosenDatabase(parts));
  if (node?.kind !== 'connection' && node?.kind !== 'schema' && node?.kind !== 'table') return;
  const { root, connection } = node;
  const about = node.kind === 'table' ? node.name : undefined;
  const scope = node.kind === 'connection' ? undefined : node.name;
  parts.diagrams.show(idOf(node), {
    title: diagramTitle(connection.name, scope),
    about,
    root,
    read: () => parts.browser.diagram(root, { connection: connection.id, ...wantedOf(node) }),
    openData: async (name) => {
      const table: TreeNode = { kind: 'table', root, connection, name, facts: undefined };
      await vscode.commands.executeCommand('devdb.databases.openData', table);
    },
  });
}

function wantedOf(node: Extract<TreeNode, { kind: 'connection' | 'schema' | 'table' }>) {
  if (node.kind === 'schema') return { tables: node.tables.slice(0, MOST_DIAGRAM_TABLES), only: true };
  return node.kind === 'table' ? { tables: [node.name] } : {};
}

/** The only database, or the one that the user chooses. */
async function chosenDatabase({ browser, roots }: DiagramCommandParts): Promise<TreeNode | undefined> {
  const found: ({ readonly kind: 'connection' } & Below)[] = [];
  for (const root of roots()) {
    const { connections } = await browser.connections(root);
    found.push(...connections.map((connection) => ({ kind: 'connection', root, connection }) as const));
  }
  if (found.length === 1) return found[0];
  const rows = found.map((node) => ({
    label: forEditor(nameText(node.connection.name)),
    description: forEditor(pathText(node.connection.target)),
    node,
  }));
  return (await vscode.window.showQuickPick(rows, { title: 'Show the diagram of which database?' }))?.node;
}
