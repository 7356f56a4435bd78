import { AppError } from '@devdb/shared/errors';
import { nameText, quoted, sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { editorText } from '../../editor-text.ts';
import type { Browser } from './browser.ts';
import {
  type Below,
  type Connection,
  type Group,
  idOf,
  type TableFacts,
  type TreeNode,
  tableNode,
  tableNodes,
} from './nodes.ts';
import { readColumn, type ShownColumn } from './schema-text.ts';
import { isFilter, passesFilter } from './table-filter.ts';
import { treeItem } from './tree-items.ts';

/** Of a larger schema no estimates are asked for at once: each table tells its own when it is opened. */
const MOST_ESTIMATED = 2_000;

export interface TreeParts {
  readonly browser: Pick<Browser, 'connections' | 'tables' | 'overview'>;
  /** The projects that are served now. */
  readonly roots: () => readonly string[];
  /** No database was found in any of them. */
  readonly onNothing: (isNothing: boolean) => void;
  readonly onFault: (error: unknown) => void;
  /** Another filter holds; an empty one is none. */
  readonly onFilter: (filter: string) => void;
}

/** What was read below one connection. */
interface Known {
  readonly names: readonly string[];
  readonly facts: Map<string, TableFacts>;
}

/** The databases of the window's projects: read level by level, each when it is opened. */
export class DatabaseTree implements vscode.TreeDataProvider<TreeNode> {
  readonly #parts: TreeParts;
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  /** By root and connection. */
  #known = new Map<string, Promise<Known>>();
  #filter = '';
  /** What a filter has opened stays open when it is gone. */
  #hasFiltered = false;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return treeItem(node, this.#opens(node));
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    try {
      return [...(await this.#below(node))];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [noticeOf(error, node)];
    }
  }

  get filter(): string {
    return this.#filter;
  }

  /** Shows only tables whose names have these words. */
  filterBy(text: string): void {
    const filter = isFilter(text) ? text.trim() : '';
    if (filter === this.#filter) return;
    this.#filter = filter;
    this.#hasFiltered = true;
    this.#parts.onFilter(filter);
    this.#changed.fire(undefined);
  }

  /** Reads everything again, as far as it is open. */
  refresh(): void {
    this.#known = new Map();
    this.#changed.fire(undefined);
  }

  /** The columns of a table. */
  async columns(root: string, connection: Connection, table: string): Promise<readonly ShownColumn[]> {
    const { tables } = await this.#parts.browser.overview(root, { tables: [table], connection: connection.id });
    return tables[0]?.columns.map(readColumn) ?? [];
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** A filter shows what it has found: below the default database, and below those that were opened. */
  #opens(node: TreeNode): boolean {
    if (node.kind === 'schema') return this.#filter !== '';
    if (!this.#hasFiltered || node.kind !== 'connection' || !node.connection.trusted) return false;
    return node.connection.isDefault || this.#known.has(keyOf(node));
  }

  async #below(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.#top();
      case 'project':
        return this.#connections(node.root);
      case 'connection':
        return this.#tables(node);
      case 'schema': {
        const { facts } = await this.#read(node);
        return node.tables.map((name) => tableNode(node, name, facts));
      }
      case 'table':
        return this.#partsOf(node);
      case 'group':
        return node.texts.map((text) => ({ ...node, kind: 'leaf', text }));
      case 'leftOut':
        return node.places.map((place) => ({ kind: 'place', root: node.root, place }));
      case 'column':
      case 'leaf':
      case 'place':
      case 'notice':
        return [];
    }
  }

  /** With one project its databases are the top. */
  async #top(): Promise<readonly TreeNode[]> {
    const roots = this.#parts.roots();
    const [first, ...others] = roots;
    if (first === undefined) return [];
    if (others.length > 0) return roots.map((root) => ({ kind: 'project', root }));
    const nodes = await this.#connections(first);
    this.#parts.onNothing(!nodes.some(({ kind }) => kind === 'connection'));
    return nodes;
  }

  async #connections(root: string): Promise<readonly TreeNode[]> {
    const { connections, skipped } = await this.#parts.browser.connections(root);
    const found = connections.map((connection) => ({ kind: 'connection', root, connection }) as const);
    // What is about the project as a whole is what the welcome says, with more to do.
    const places = skipped.filter(({ file }) => file !== '.');
    if (places.length === 0) return found;
    return [...found, { kind: 'leftOut', root, places, isAll: found.length === 0 }];
  }

  async #tables(node: Extract<TreeNode, { kind: 'connection' }>): Promise<readonly TreeNode[]> {
    const { connection } = node;
    if (!connection.trusted) return [approvalNotice(node)];
    const { names, facts } = await this.#read(node, node);
    if (names.length === 0) return [{ kind: 'notice', id: connection.id, label: editorText`No tables` }];
    const shown = names.filter((name) => passesFilter(name, this.#filter));
    const none = editorText`No table of this name among ${names.length}`;
    return shown.length === 0 ? [{ kind: 'notice', id: connection.id, label: none }] : tableNodes(node, shown, facts);
  }

  /** `shown` is the row to draw again when the estimates are there. */
  #read({ root, connection }: Below, shown?: TreeNode): Promise<Known> {
    const key = keyOf({ root, connection });
    const known = this.#known.get(key) ?? this.#readNow({ root, connection }, shown);
    this.#known.set(key, known);
    // What failed is tried again the next time.
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async #readNow(below: Below, shown: TreeNode | undefined): Promise<Known> {
    const names = await this.#parts.browser.tables(below.root, below.connection.id);
    const known = { names, facts: new Map<string, TableFacts>() };
    // The names are shown at once, and the estimates when they are there.
    if (names.length <= MOST_ESTIMATED) this.#estimate(below, known, shown).catch(this.#parts.onFault);
    return known;
  }

  async #estimate({ root, connection }: Below, { facts }: Known, shown: TreeNode | undefined): Promise<void> {
    try {
      const { tables } = await this.#parts.browser.overview(root, { connection: connection.id });
      for (const table of tables) facts.set(table.name, table);
      if (shown !== undefined) this.#changed.fire(shown);
    } catch (error) {
      // The names are of use without them.
      if (!(error instanceof AppError)) throw error;
    }
  }

  async #partsOf(node: Extract<TreeNode, { kind: 'table' }>): Promise<readonly TreeNode[]> {
    const { root, connection, name } = node;
    const overview = await this.#parts.browser.overview(root, {
      tables: [name],
      include: ['indexes'],
      connection: connection.id,
    });
    const [table] = overview.tables;
    if (table === undefined) return [];
    const columns = table.columns.map(
      (text) => ({ kind: 'column', root, connection, table: name, column: readColumn(text) }) as const,
    );
    const texts = {
      indexes: table.indexes ?? [],
      keys: overview.foreignKeys,
      referencedBy: overview.referencedBy ?? [],
    };
    const groups = GROUP_ORDER.filter((group) => texts[group].length > 0).map(
      (group) => ({ kind: 'group', root, connection, table: name, group, texts: texts[group] }) as const,
    );
    return [...columns, ...groups];
  }
}

function keyOf({ root, connection }: Below): string {
  return JSON.stringify([root, connection.id]);
}

const GROUP_ORDER: readonly Group[] = ['keys', 'referencedBy', 'indexes'];

function approvalNotice(node: Extract<TreeNode, { kind: 'connection' }>): TreeNode {
  const label = editorText`Approve ${quoted(nameText(node.connection.name))} to look into it...`;
  return {
    kind: 'notice',
    id: node.connection.id,
    label,
    action: { command: 'devdb.databases.approve', argument: node },
  };
}

/** What went wrong stands where the rows would be. */
function noticeOf({ message, hint }: AppError, node: TreeNode | undefined): TreeNode {
  const label =
    hint === undefined
      ? editorText`${sentenceText(message)}`
      : editorText`${sentenceText(message)} ${sentenceText(hint)}`;
  return { kind: 'notice', id: `problem of ${node === undefined ? 'all' : idOf(node)}`, label };
}
