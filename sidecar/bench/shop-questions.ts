export type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const FIRST_LOOK: Call = ['get-overview', { include: ['lookups'] }];

/** Twenty questions about the shop, each with the statement that answers it. */
export const QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
  ['How many customers are active?', 'SELECT count(*) AS active FROM customers WHERE is_active AND deleted_at IS NULL'],
  [
    'How many orders are there for each status?',
    'SELECT s.label, count(*) AS orders FROM orders o JOIN order_statuses s ON s.code = o.status_code WHERE o.deleted_at IS NULL GROUP BY 1 ORDER BY 2 DESC',
  ],
  [
    'Which ten customers ordered most often?',
    'SELECT c.id, c.name, count(*) AS orders FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 10',
  ],
  [
    'Which products were never sold?',
    'SELECT id, sku, title FROM products p WHERE NOT EXISTS (SELECT 1 FROM order_lines l WHERE l.product_id = p.id)',
  ],
  [
    'What did each month bring in?',
    "SELECT strftime('%Y-%m', o.placed_on) AS month, sum(l.quantity * l.price) AS revenue FROM orders o JOIN order_lines l ON l.order_id = o.id GROUP BY 1",
  ],
  [
    'Which invoices have not been paid?',
    'SELECT i.number, i.total, i.due_on FROM invoices i LEFT JOIN payments p ON p.invoice_id = i.id WHERE p.id IS NULL ORDER BY i.id LIMIT 10',
  ],
  [
    'How much is open?',
    'SELECT sum(i.total) AS open FROM invoices i LEFT JOIN payments p ON p.invoice_id = i.id WHERE p.id IS NULL',
  ],
  [
    'How do customers pay?',
    'SELECT k.label, count(*) AS payments, sum(p.amount) AS amount FROM payments p JOIN payment_kinds k ON k.code = p.kind_code GROUP BY 1',
  ],
  [
    'Which orders are not sent?',
    "SELECT count(*) AS waiting FROM orders o WHERE o.status_code IN ('paid', 'packed') AND NOT EXISTS (SELECT 1 FROM shipments s WHERE s.order_id = o.id)",
  ],
  [
    'Which shipments were lost?',
    "SELECT id, order_id, warehouse_id, sent_on FROM shipments WHERE state_code = 'lost' ORDER BY id LIMIT 5",
  ],
  [
    'What is out of stock?',
    'SELECT p.sku, w.name AS warehouse FROM stock_levels s JOIN products p ON p.id = s.product_id JOIN warehouses w ON w.id = s.warehouse_id WHERE s.quantity = 0',
  ],
  [
    'Who manages whom?',
    'SELECT m.name AS manager, count(*) AS people FROM employees e JOIN employees m ON m.id = e.manager_id GROUP BY 1',
  ],
  [
    'What sold best?',
    'SELECT p.sku, p.title, sum(l.quantity) AS sold FROM order_lines l JOIN products p ON p.id = l.product_id GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 10',
  ],
  [
    'Which suppliers matter most?',
    'SELECT s.name, sum(l.quantity * l.price) AS revenue FROM order_lines l JOIN products p ON p.id = l.product_id JOIN suppliers s ON s.id = p.supplier_id GROUP BY 1 ORDER BY 2 DESC LIMIT 5',
  ],
  [
    'How large is an order on average?',
    'SELECT round(avg(total), 2) AS average FROM (SELECT sum(quantity * price) AS total FROM order_lines GROUP BY order_id)',
  ],
  [
    'Which cities have customers without orders?',
    'SELECT city, count(*) AS customers FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) GROUP BY 1',
  ],
  ['How many orders came over the web?', 'SELECT channel, count(*) AS orders FROM orders GROUP BY 1'],
  [
    'Who sold most?',
    'SELECT e.name, r.label AS role, count(*) AS orders FROM orders o JOIN employees e ON e.id = o.employee_id JOIN employee_roles r ON r.code = e.role_code GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 5',
  ],
  ['What does customer 17 look like?', 'SELECT * FROM customers WHERE id = 17'],
  [
    'What did order 42 hold?',
    'SELECT l.*, p.sku FROM order_lines l JOIN products p ON p.id = l.product_id WHERE l.order_id = 42',
  ],
];

export const STATEMENTS = QUESTIONS.map(([, sql]) => sql);

/** A good run: one look at the schema, then twelve statements in a call. */
export const CALLS: readonly Call[] = [
  FIRST_LOOK,
  ['run-queries', { queries: STATEMENTS.slice(0, 12) }],
  ['run-queries', { queries: STATEMENTS.slice(12) }],
];

/** Calls on the wide schema whose text is a form of its own. */
export const FORM_CALLS: readonly (readonly [what: string, tool: string, input: Readonly<Record<string, unknown>>])[] =
  [
    ['an overview of two tables', 'get-overview', { tables: ['orders', 'customers'] }],
    ['the wide overview', 'get-overview', {}],
    ['a search for columns', 'search-schema', { pattern: 'customer_id|order_id', kind: 'column' }],
    [
      'a plan',
      'explain-query',
      {
        query:
          'SELECT * FROM order_lines l JOIN products p ON p.id = l.product_id WHERE l.quantity > 3 ORDER BY p.title',
      },
    ],
    [
      'an export',
      'export-query',
      {
        query: 'SELECT id, order_id, quantity, price FROM order_lines LIMIT 100',
        path: 'lines.csv',
        format: 'csv',
      },
    ],
    ['the only connection', 'list-connections', {}],
  ];
