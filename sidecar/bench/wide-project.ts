import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BenchProject } from './bench-project.ts';

/** Tables of the schema: those of the shop, those of codes, and the rest of what such a system collects. */
export const WIDE_TABLES = 50;

/** What nearly every table of a grown schema has. */
const USUAL = ['created_at TEXT NOT NULL', 'updated_at TEXT', 'created_by INTEGER', 'deleted_at TEXT', 'notes TEXT'];

/** Codes with labels. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  order_statuses: ['new', 'paid', 'packed', 'sent', 'returned', 'cancelled'],
  payment_kinds: ['card', 'transfer', 'cash', 'voucher'],
  shipment_states: ['waiting', 'on_the_way', 'delivered', 'lost'],
  employee_roles: ['clerk', 'manager', 'driver', 'buyer'],
};

/** The shop: what the questions are about. `>` is a declared key; a column ending in `_id` without one has none. */
const SHOP: Readonly<Record<string, readonly string[]>> = {
  customers: [
    'name TEXT NOT NULL',
    'email TEXT UNIQUE',
    'city TEXT',
    'country_code TEXT',
    'is_active INTEGER NOT NULL',
  ],
  products: [
    'sku TEXT NOT NULL UNIQUE',
    'title TEXT NOT NULL',
    'price NUMERIC(10,2) NOT NULL',
    'supplier_id INTEGER',
    'is_active INTEGER NOT NULL',
  ],
  suppliers: ['name TEXT NOT NULL', 'city TEXT', 'rating INTEGER'],
  employees: [
    'name TEXT NOT NULL',
    'role_code TEXT > employee_roles(code)',
    'manager_id INTEGER > employees(id)',
    'hired_on TEXT',
  ],
  warehouses: ['name TEXT NOT NULL', 'city TEXT', 'capacity INTEGER'],
  orders: [
    'customer_id INTEGER NOT NULL > customers(id)',
    'status_code TEXT NOT NULL > order_statuses(code)',
    'employee_id INTEGER > employees(id)',
    'placed_on TEXT NOT NULL',
    'channel TEXT',
  ],
  order_lines: [
    'order_id INTEGER NOT NULL > orders(id)',
    'product_id INTEGER NOT NULL > products(id)',
    'quantity INTEGER NOT NULL',
    'price NUMERIC(10,2) NOT NULL',
  ],
  invoices: [
    'order_id INTEGER NOT NULL > orders(id)',
    'number TEXT NOT NULL UNIQUE',
    'total NUMERIC(12,2) NOT NULL',
    'due_on TEXT',
  ],
  payments: [
    'invoice_id INTEGER NOT NULL > invoices(id)',
    'kind_code TEXT NOT NULL > payment_kinds(code)',
    'amount NUMERIC(12,2) NOT NULL',
    'paid_on TEXT',
  ],
  shipments: [
    'order_id INTEGER NOT NULL > orders(id)',
    'warehouse_id INTEGER > warehouses(id)',
    'state_code TEXT > shipment_states(code)',
    'sent_on TEXT',
  ],
  stock_levels: [
    'product_id INTEGER NOT NULL > products(id)',
    'warehouse_id INTEGER NOT NULL > warehouses(id)',
    'quantity INTEGER NOT NULL',
  ],
};

const AREAS =
  'audit campaign catalog claim contract delivery event forecast import inspection lease ledger maintenance notification policy pricing project quality quote refund report reservation return review rule schedule session survey task tax ticket tour training transfer vehicle'.split(
    ' ',
  );
const FACETS =
  'amount approved_on assignee batch_no branch budget category channel closed_on contact cost currency deadline department description discount duration external_ref fee grade hours invoice_ref label language legal_hold limit_value location margin opened_on origin owner percentage phase_name priority quantity reason reference region_name reminder_on revision score segment size_class source_system started_on summary tags title total_value unit_price valid_from valid_until vendor_ref version_no weight'.split(
    ' ',
  );
/** Columns of a table that only collects, so that the schema has as many as a grown one. */
const FACETS_EACH = 24;

/** A project with a schema of fifty tables and 1,370 columns, and rows in those that are asked about. */
export function makeWideProject(root: string): BenchProject {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const database = join(root, 'wide.db');
  const connection = new DatabaseSync(database);
  connection.exec(
    ['BEGIN', ...Object.entries(CODES).flatMap(codeTable), ...shopTables(), ...areaTables(), ...rows(), 'COMMIT'].join(
      ';\n',
    ),
  );
  connection.close();
  return { root, database };
}

function codeTable([name, codes]: readonly [string, readonly string[]]): string[] {
  const values = codes.map((code) => `('${code}', '${code.replaceAll('_', ' ')}')`);
  return [
    `CREATE TABLE ${name} (code TEXT PRIMARY KEY NOT NULL, label TEXT NOT NULL)`,
    `INSERT INTO ${name} VALUES ${values.join(', ')}`,
  ];
}

function shopTables(): string[] {
  return Object.entries(SHOP).map(([name, columns], at) => createTable(name, [...columns, ...facets(at, 12)]));
}

function areaTables(): string[] {
  const left = WIDE_TABLES - Object.keys(CODES).length - Object.keys(SHOP).length;
  return AREAS.slice(0, left).map((area, at) =>
    createTable(`${area}_records`, ['customer_id INTEGER', 'status TEXT', ...facets(at, FACETS_EACH)]),
  );
}

/** Different ones for each table, always the same for one. */
function facets(table: number, count: number): string[] {
  const types = ['TEXT', 'INTEGER', 'NUMERIC(12,2)', "TEXT NOT NULL DEFAULT ''"];
  return Array.from({ length: count }, (_, at) => {
    const name = FACETS[(table * 7 + at) % FACETS.length] ?? '';
    return `${name} ${types[(table + at) % types.length] ?? 'TEXT'}`;
  });
}

function createTable(name: string, columns: readonly string[]): string {
  const own = [...columns, ...USUAL].map((column) => column.replace(/ > (.+)$/, ' REFERENCES $1'));
  return `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ${own.join(', ')})`;
}

function rows(): string[] {
  const numbers = (last: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
  const day = `date('2026-01-01', '+' || (i % 300) || ' days')`;
  const code = (table: string) => {
    const codes = CODES[table] ?? [];
    return `CASE i % ${codes.length} ${codes.map((own, at) => `WHEN ${at} THEN '${own}'`).join(' ')} END`;
  };
  const fill = (table: string, columns: string, values: string, last: number) =>
    `INSERT INTO ${table} (id, created_at, ${columns}) ${numbers(last)} SELECT i, ${day}, ${values} FROM n`;
  return [
    fill('suppliers', 'name, city, rating', "'Supplier ' || i, 'City ' || (i % 4), i % 5", 12),
    fill(
      'customers',
      'name, email, city, country_code, is_active',
      "'Customer ' || i, 'c' || i || '@example.com', 'City ' || (i % 9), 'C' || (i % 3), i % 5 > 0",
      200,
    ),
    fill(
      'products',
      'sku, title, price, supplier_id, is_active',
      "'SKU' || i, 'Product ' || i, i * 1.25, 1 + i % 12, i % 6 > 0",
      80,
    ),
    fill(
      'employees',
      'name, role_code, manager_id, hired_on',
      `'Employee ' || i, ${code('employee_roles')}, CASE WHEN i > 3 THEN 1 + i % 3 END, ${day}`,
      15,
    ),
    fill('warehouses', 'name, city, capacity', "'Warehouse ' || i, 'City ' || i, i * 1000", 3),
    fill(
      'orders',
      'customer_id, status_code, employee_id, placed_on, channel',
      `1 + i % 190, ${code('order_statuses')}, 1 + i % 15, ${day}, CASE WHEN i % 3 THEN 'web' ELSE 'shop' END`,
      1200,
    ),
    fill(
      'order_lines',
      'order_id, product_id, quantity, price',
      '1 + i % 1200, 1 + i % 75, 1 + i % 4, (1 + i % 75) * 1.25',
      3600,
    ),
    fill('invoices', 'order_id, number, total, due_on', `i, 'R' || i, i * 3.5, ${day}`, 1100),
    fill('payments', 'invoice_id, kind_code, amount, paid_on', `i, ${code('payment_kinds')}, i * 3.5, ${day}`, 950),
    fill(
      'shipments',
      'order_id, warehouse_id, state_code, sent_on',
      `i, 1 + i % 3, ${code('shipment_states')}, ${day}`,
      800,
    ),
    fill('stock_levels', 'product_id, warehouse_id, quantity', '1 + i % 80, 1 + i % 3, i % 50', 240),
    `UPDATE orders SET deleted_at = '2026-09-01' WHERE id % 40 = 0`,
  ];
}
