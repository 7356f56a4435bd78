import { type Connection, idOf, type TreeNode, tableNodes } from './nodes.ts';

const CONNECTION: Connection = {
  id: 'c1',
  name: 'lab',
  type: 'postgres',
  target: '127.0.0.1:5432/lab',
  isDefault: true,
  source: { file: '.env', line: 1, by: 'dotenv' },
  trusted: true,
  guard: 'enforced',
  guardReason: 'read-only',
};
const NODE: TreeNode = { kind: 'connection', root: '/p', connection: CONNECTION };

test('schemas of a database are rows of their own with their tables, before those of the default one', () => {
  const nodes = tableNodes(NODE, ['orders', 'billing.invoices', 'billing.lines'], new Map());
  expect(nodes).toMatchObject([
    { kind: 'schema', name: 'billing', tables: ['billing.invoices', 'billing.lines'] },
    { kind: 'table', name: 'orders' },
  ]);
  expect(new Set([NODE, ...nodes].map(idOf)).size).toBe(3);
});
