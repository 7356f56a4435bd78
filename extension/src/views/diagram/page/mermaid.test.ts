import fc from 'fast-check';
import type { GraphTable } from '../page-messages.ts';
import { mermaidText } from './mermaid.ts';

const id = { name: 'id', type: 'integer', isKey: true, notNull: true };

test('tells tables, columns with their keys, and who points to whom', () => {
  const orders: GraphTable = {
    name: 'orders',
    kind: 'table',
    columns: [
      id,
      { name: 'customer_id', type: 'integer', isKey: false, notNull: true },
      { name: 'shop_id', type: 'varchar(20)', isKey: false, notNull: false },
    ],
    keys: [
      { columns: ['customer_id'], parent: 'customers', parentColumns: ['id'], isGuessed: false },
      { columns: ['shop_id'], parent: 'customers', parentColumns: ['id'], isGuessed: true },
    ],
  };
  const customers: GraphTable = { name: 'customers', kind: 'table', columns: [], keys: [] };
  expect(mermaidText([orders, customers])).toBe(`erDiagram
    orders {
        integer id PK
        integer customer_id FK
        varchar(20) shop_id
    }
    customers
    customers ||--o{ orders : "customer_id"
    customers ||..o{ orders : "shop_id (guessed)"
`);
});

test('names that Mermaid cannot read get one that it can, and their whole name beside it', () => {
  const odd: GraphTable = {
    name: 'my "orders"',
    kind: 'table',
    columns: [{ name: '"the id"', type: 'double precision', isKey: true, notNull: true }],
    keys: [{ columns: ['"the id"'], parent: 'title', parentColumns: ['id'], isGuessed: false }],
  };
  const reserved: GraphTable = { name: 'title', kind: 'table', columns: [id], keys: [] };
  expect(mermaidText([odd, reserved])).toBe(`erDiagram
    t_my_orders_["my #34;orders#34;"] {
        double_precision c__the_id_ PK, FK "#34;the id#34;"
    }
    t_title["title"] {
        integer id PK
    }
    t_title ||--o{ t_my_orders_ : "#34;the id#34;"
`);
});

test('whatever names are, every line is one of the language, and every table has a name of its own', () => {
  const LINE =
    /^(?:erDiagram| {4}[A-Za-z]\w*(?:\["[^"%\\\n]*"\])?(?: \{)?| {4}\}| {8}[A-Za-z][\w()[\]]* [A-Za-z]\w*(?: PK(?:, FK)?)?(?: "[^"%\\\n]*")?| {4}[A-Za-z]\w* \|\|--o\{ [A-Za-z]\w* : "[^"%\\\n]*")$/;
  const names = fc.uniqueArray(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a b', 'a_b', 'a-b', 't_a_b', 'title', 'x direction TB')),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(names, fc.oneof(fc.string(), fc.constant('k')), fc.string(), (tables, column, type) => {
      const text = mermaidText(
        tables.map((name) => ({
          name,
          kind: 'table',
          columns: [{ name: column, type, isKey: true, notNull: false }],
          keys: [{ columns: ['k'], parent: name, parentColumns: [], isGuessed: false }],
        })),
      );
      const lines = text.trimEnd().split('\n');
      for (const line of lines) expect(line).toMatch(LINE);
      expect(text).not.toMatch(/direction\s/i);
      const heads = lines.filter((line) => line.endsWith('{')).map((line) => line.trim().split(/[[ ]/)[0]);
      expect(new Set(heads).size).toBe(tables.length);
    }),
  );
});
