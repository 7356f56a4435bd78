import { basename } from 'node:path';
import { joined, nameText, pathText, plain, sentenceText } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { type EditorText, editorLines, editorText, forEditor } from '../../editor-text.ts';
import { type Connection, GROUPS, idOf, type TreeNode } from './nodes.ts';
import { keyLabel, rowsText, tablePath } from './schema-text.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

interface Shown {
  readonly label: EditorText;
  readonly state?: vscode.TreeItemCollapsibleState;
  readonly description?: EditorText | undefined;
  readonly tooltip?: EditorText | undefined;
  readonly icon: string;
  readonly color?: string;
  /** What menus ask for. */
  readonly context: string;
  readonly spoken?: EditorText;
}

/** The row that stands for a node; `isOpened` shows what is below it, whatever the user has opened or closed. */
export function treeItem(node: TreeNode, isOpened: boolean): vscode.TreeItem {
  const { label, state = None, description, tooltip, icon, color, context, spoken } = shownOf(node);
  const item = new vscode.TreeItem(label, isOpened ? Expanded : state);
  // The editor keeps what was opened and closed by this name.
  item.id = isOpened ? `${idOf(node)} opened` : idOf(node);
  if (description !== undefined) item.description = description;
  item.tooltip = tooltip ?? label;
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.contextValue = context;
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  const action = node.kind === 'notice' ? node.action : undefined;
  if (action !== undefined) item.command = { title: label, command: action.command, arguments: [action.argument] };
  return item;
}

function shownOf(node: TreeNode): Shown {
  switch (node.kind) {
    case 'project': {
      const label = forEditor(nameText(basename(node.root)));
      return { label, state: Expanded, tooltip: forEditor(pathText(node.root)), icon: 'folder', context: 'project' };
    }
    case 'connection':
      return connectionRow(node.connection);
    case 'schema': {
      const label = forEditor(nameText(node.name));
      const description = editorText`${node.tables.length} tables`;
      return { label, description, state: Collapsed, icon: 'symbol-namespace', context: 'schema' };
    }
    case 'table':
      return tableRow(node);
    case 'column':
      return columnRow(node);
    case 'group': {
      const { label, icon } = GROUPS[node.group];
      const description = editorText`${node.texts.length}`;
      return { label: forEditor(nameText(label)), description, state: Collapsed, icon, context: 'group' };
    }
    case 'leaf':
      return leafRow(node);
    case 'leftOut': {
      const label = node.isAll ? editorText`Why no database was found` : editorText`Left out`;
      const state = node.isAll ? Expanded : Collapsed;
      return { label, state, description: editorText`${node.places.length}`, icon: 'question', context: 'leftOut' };
    }
    case 'place': {
      const { file, line, reason } = node.place;
      const label = line === undefined ? forEditor(pathText(file)) : editorText`${pathText(file)}:${line}`;
      const description = forEditor(sentenceText(reason));
      return {
        label,
        description,
        tooltip: editorText`${pathText(file)}: ${sentenceText(reason)}`,
        icon: 'circle-slash',
        context: 'place',
      };
    }
    case 'notice':
      return { label: node.label, icon: node.action === undefined ? 'info' : 'arrow-right', context: 'notice' };
  }
}

function connectionRow(connection: Connection): Shown {
  const { name, target, source, isDefault, trusted, needsTrust, guard, guardReason, type } = connection;
  const where = source.line === undefined ? pathText(source.file) : plain`${pathText(source.file)}:${source.line}`;
  const state = trusted ? (isDefault ? plain`default, ${nameText(type)}` : nameText(type)) : plain`needs your approval`;
  const reads =
    guard === 'enforced'
      ? plain`Reads are enforced: ${sentenceText(guardReason)}`
      : plain`Reads are guarded: ${sentenceText(guardReason)}`;
  const why = needsTrust === undefined ? [] : [editorText`Why it needs an approval: ${sentenceText(needsTrust)}.`];
  const label = forEditor(nameText(name));
  return {
    label,
    state: Collapsed,
    description: forEditor(state),
    tooltip: editorLines([
      forEditor(pathText(target)),
      editorText`Found in ${where}`,
      forEditor(reads),
      ...(trusted ? [] : why),
    ]),
    icon: trusted ? 'database' : 'lock',
    ...(trusted ? {} : { color: 'list.warningForeground' }),
    context: `connection${trusted ? '' : '.pending'}${connection.type === 'sqlite' ? '' : '.server'}`,
    spoken: editorText`${nameText(name)}, database, ${state}`,
  };
}

function tableRow({ name, facts, connection }: Extract<TreeNode, { kind: 'table' }>): Shown {
  const { kind = 'table', rows = null, atMost = false } = facts ?? {};
  const label = forEditor(nameText(tablePath(name, connection.type).name));
  const isView = /view/.test(kind);
  const told = [
    ...(kind === 'table' ? [] : [nameText(kind)]),
    ...(rows === null ? [] : [nameText(rowsText(rows, atMost))]),
  ];
  const description = told.length === 0 ? undefined : forEditor(joined(told));
  return {
    label,
    state: Collapsed,
    description,
    tooltip: forEditor(nameText(name)),
    icon: isView ? 'eye' : 'table',
    context: 'table',
    spoken: editorText`${nameText(name)}, ${nameText(kind)}${rows === null ? plain`` : plain`, about ${rows} rows`}`,
  };
}

function columnRow({ column }: Extract<TreeNode, { kind: 'column' }>): Shown {
  const { name, type, isKey, marks } = column;
  const label = forEditor(nameText(name));
  const told = [type, ...marks.filter((mark) => mark !== 'PK')].filter((part) => part !== '').join(' ');
  return {
    label,
    description: told === '' ? undefined : forEditor(sentenceText(told)),
    icon: isKey ? 'key' : 'symbol-field',
    context: 'column',
    spoken: editorText`${nameText(name)}, ${isKey ? plain`key column` : plain`column`} ${sentenceText(told)}`,
  };
}

function leafRow({ group, text }: Extract<TreeNode, { kind: 'leaf' }>): Shown {
  const { icon } = GROUPS[group];
  if (group !== 'keys') return { label: forEditor(sentenceText(text)), icon, context: 'leaf' };
  const { columns, target } = keyLabel(text);
  return {
    label: forEditor(sentenceText(columns)),
    description: editorText`→ ${sentenceText(target)}`,
    icon,
    context: 'leaf',
  };
}
