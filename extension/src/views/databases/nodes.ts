import type { ToolOutput } from '@devdb/shared/tools';
import type { EditorText } from '../../editor-text.ts';
import { type ShownColumn, tablePath } from './schema-text.ts';

export type Connection = ToolOutput<'list-connections'>['connections'][number];
export type LeftOut = ToolOutput<'list-connections'>['skipped'][number];
export type Overview = ToolOutput<'get-overview'>;
export type TableFacts = Pick<Overview['tables'][number], 'kind' | 'rows' | 'atMost'>;

/** Where a row belongs that is of one connection. */
export interface Below {
  readonly root: string;
  readonly connection: Connection;
}

/** One row of the tree, with what is known of it. */
export type TreeNode =
  | { readonly kind: 'project'; readonly root: string }
  | ({ readonly kind: 'connection' } & Below)
  | ({ readonly kind: 'schema'; readonly name: string; readonly tables: readonly string[] } & Below)
  | ({ readonly kind: 'table'; readonly name: string; readonly facts: TableFacts | undefined } & Below)
  | ({ readonly kind: 'column'; readonly table: string; readonly column: ShownColumn } & Below)
  | ({
      readonly kind: 'group';
      readonly table: string;
      readonly group: Group;
      readonly texts: readonly string[];
    } & Below)
  | ({ readonly kind: 'leaf'; readonly table: string; readonly group: Group; readonly text: string } & Below)
  | { readonly kind: 'leftOut'; readonly root: string; readonly places: readonly LeftOut[]; readonly isAll: boolean }
  | { readonly kind: 'place'; readonly root: string; readonly place: LeftOut }
  | { readonly kind: 'notice'; readonly id: string; readonly label: EditorText; readonly action?: Action };

/** What a row does when it is chosen. */
export interface Action {
  readonly command: string;
  readonly argument?: unknown;
}

export const GROUPS = {
  indexes: { label: 'Indexes', icon: 'list-ordered' },
  keys: { label: 'Foreign keys', icon: 'references' },
  referencedBy: { label: 'Referenced by', icon: 'reply' },
} as const;
export type Group = keyof typeof GROUPS;

/** A name that stays the same when the tree is read again, so that open rows stay open. */
export function idOf(node: TreeNode): string {
  switch (node.kind) {
    case 'project':
      return JSON.stringify([node.root]);
    case 'connection':
      return JSON.stringify([node.root, node.connection.id]);
    case 'schema':
      return JSON.stringify([node.root, node.connection.id, 'schema', node.name]);
    case 'table':
      return JSON.stringify([node.root, node.connection.id, 'table', node.name]);
    case 'column':
      return JSON.stringify([node.root, node.connection.id, node.table, 'column', node.column.name]);
    case 'group':
      return JSON.stringify([node.root, node.connection.id, node.table, node.group]);
    case 'leaf':
      return JSON.stringify([node.root, node.connection.id, node.table, node.group, node.text]);
    case 'leftOut':
      return JSON.stringify([node.root, 'left out']);
    case 'place':
      return JSON.stringify([node.root, 'left out', node.place.file, node.place.line, node.place.reason]);
    case 'notice':
      return JSON.stringify(['notice', node.id]);
  }
}

/** The tables of a connection: schemas other than the default one as folders first, then the default one's tables. */
export function tableNodes(
  { root, connection }: Below,
  names: readonly string[],
  facts: ReadonlyMap<string, TableFacts>,
): readonly TreeNode[] {
  // Nothing else of what was given: a row of the tree brings its own kind.
  const below = { root, connection };
  const schemas = new Map<string, string[]>();
  const own: TreeNode[] = [];
  for (const name of names) {
    const { schema } = tablePath(name, connection.type);
    if (schema === undefined) own.push(tableNode(below, name, facts));
    else schemas.set(schema, [...(schemas.get(schema) ?? []), name]);
  }
  const folders = [...schemas].map(([name, tables]) => ({ kind: 'schema', name, tables, ...below }) as const);
  return [...folders, ...own];
}

export function tableNode(below: Below, name: string, facts: ReadonlyMap<string, TableFacts>): TreeNode {
  const { root, connection } = below;
  return { kind: 'table', root, connection, name, facts: facts.get(name) };
}
