import type { GraphTable } from '../page-messages.ts';

/** The tables as a Mermaid erDiagram. */
export function mermaidText(tables: readonly GraphTable[]): string {
  const ids = idsOf(tables.map(({ name }) => name));
  const idOf = (name: string) => ids.get(name) ?? '';
  const entities = tables.flatMap((table) => entityLines(table, idOf(table.name)));
  const links = tables.flatMap(({ name, keys }) =>
    keys.flatMap(({ columns, parent, isGuessed }) => {
      if (!ids.has(parent)) return [];
      const label = `${columns.join(', ')}${isGuessed ? ' (guessed)' : ''}`;
      return [`    ${idOf(parent)} ||${isGuessed ? '..' : '--'}o{ ${idOf(name)} : ${quoted(label)}`];
    }),
  );
  return `${['erDiagram', ...entities, ...links].join('\n')}\n`;
}

function entityLines({ name, columns, keys }: GraphTable, id: string): string[] {
  const head = id === name || name === '' ? id : `${id}[${quoted(name)}]`;
  if (columns.length === 0) return [`    ${head}`];
  const inKeys = new Set(keys.flatMap(({ columns: own, isGuessed }) => (isGuessed ? [] : own)));
  const lines = columns.map(({ name: column, type, isKey }) => {
    const written = word(column);
    const marks = [...(isKey ? ['PK'] : []), ...(inKeys.has(column) ? ['FK'] : [])].join(', ');
    // What had to be left out of a name follows it.
    const whole = written === column || column === '' ? '' : quoted(column);
    return ['       ', typeWord(type), written, marks, whole].filter((part) => part !== '').join(' ');
  });
  return [`    ${head} {`, ...lines, '    }'];
}

/** A name of letters, digits and lines for each table. */
function idsOf(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const plain = /^[A-Za-z]\w*$/.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `t_${letters(name)}`;
      let id = plain;
      for (let at = 2; taken.has(id); at += 1) id = `${plain}_${at}`;
      taken.add(id);
      return [name, id];
    }),
  );
}

/** Words of the language itself, which cannot be the name of an entity. */
const RESERVED = new Set(
  'accdescr acctitle class classdef click direction end erdiagram many one only optionally style subgraph title to u zero'.split(
    ' ',
  ),
);

/** The name or the type of a column. */
function word(text: string): string {
  const plain = letters(text);
  return /^[A-Za-z]/.test(plain) ? plain : `c_${plain}`;
}

function typeWord(type: string): string {
  if (type === '') return 'unknown';
  return /^[A-Za-z][\w()[\]]*$/.test(type) ? type : word(type);
}

function letters(text: string): string {
  return text.replace(/\W+/g, '_');
}

/** Mermaid knows `#number;` for a character; quotes, signs of its own and ends of lines are written that way. */
function quoted(text: string): string {
  const escaped = text.replace(/[^\p{L}\p{N} _.,()$:/-]/gu, (character) => `#${character.codePointAt(0)};`);
  // Anywhere in a line, these two words turn the diagram.
  return `"${escaped.replace(/(direction) /gi, '$1#32;')}"`;
}
