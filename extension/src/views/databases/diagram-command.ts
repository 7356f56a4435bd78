import { AppError } from '@devdb/shared/errors';
import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import { nameText, pathText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { DiagramSubject } from '../diagram/diagram-panel.ts';
import type { Diagrams } from '../diagram/diagrams.ts';
import { type KeptDiagram, keptDiagram } from '../diagram/kept-diagram.ts';
import type { Browser } from './browser.ts';
import type { Below, TreeNode } from './nodes.ts';

export interface DiagramCommandParts {
  readonly browser: Pick<Browser, 'connections' | 'diagram'>;
  readonly diagrams: Diagrams;
  readonly roots: () => readonly string[];
}

/** Shows a database, a schema, or a table with its neighbours as a diagram; without a row, a database that is chosen. */
export async function showDiagram(given: TreeNode | undefined, parts: DiagramCommandParts): Promise<void> {
  const node = given ?? (await chosenDatabase(parts));
  if (node?.kind !== 'connection' && node?.kind !== 'schema' && node?.kind !== 'table') return;
  parts.diagrams.show(subjectOf(diagramOf(node), parts));
}

/** Shows the diagram of a tab that was there before the window was reloaded; one of which nothing is known is closed. */
export function restoreDiagram(panel: vscode.WebviewPanel, state: unknown, parts: DiagramCommandParts): void {
  const kept = keptDiagram().safeParse(state);
  if (kept.success) parts.diagrams.show(subjectOf(kept.data, parts), panel);
  else panel.dispose();
}

function diagramOf(node: Extract<TreeNode, { kind: 'connection' | 'schema' | 'table' }>): KeptDiagram {
  const { root, connection } = node;
  const database = { root, connection: connection.id, database: connection.name };
  if (node.kind === 'table') return { ...database, table: node.name };
  if (node.kind === 'connection') return database;
  return { ...database, schema: { name: node.name, tables: node.tables.slice(0, MOST_DIAGRAM_TABLES) } };
}

function subjectOf(kept: KeptDiagram, { browser }: DiagramCommandParts): DiagramSubject {
  const { root, connection: id } = kept;
  return {
    kept,
    read: () => browser.diagram(root, { connection: id, ...wantedOf(kept) }),
    openData: async (name) => {
      const { connections } = await browser.connections(root);
      const connection = connections.find((one) => one.id === id);
      if (connection === undefined) throw new AppError('E_NO_CONNECTION', 'This database is not configured any more.');
      const node: TreeNode = { kind: 'table', root, connection, name, facts: undefined };
      await vscode.commands.executeCommand('devdb.databases.openData', node);
    },
  };
}

function wantedOf({ schema, table }: KeptDiagram) {
  if (schema !== undefined) return { tables: schema.tables, only: true };
  return table === undefined ? {} : { tables: [table] };
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
