import { join } from 'node:path';
import * as z from 'zod';
import type { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { dbhubOverStdio, sqliteDsn } from './dbhub.ts';
import type { Figure } from './measure.ts';
import { call, openStage } from './stage.ts';
import { formFigures } from './text-forms.ts';
import { makeWideProject } from './wide-project.ts';

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const FIRST_LOOK: Call = ['get-overview', { include: ['lookups'] }];
/** All that the other server tells about tables, in one call. */
const THEIR_FIRST_LOOK: Call = ['search_objects', { object_type: 'table', detail_level: 'full', limit: 1000 }];

/** Twenty questions about the shop, each with the statement that answers it. */
const QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
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

const STATEMENTS = QUESTIONS.map(([, sql]) => sql);

/** A good run: one look at the schema, then twelve statements in a call. */
const CALLS: readonly Call[] = [
  FIRST_LOOK,
  ['run-queries', { queries: STATEMENTS.slice(0, 12) }],
  ['run-queries', { queries: STATEMENTS.slice(12) }],
];

/** The other server's good run: the names, all about the tables it takes, the codes, and as many statements in a call. */
const THEIR_TABLES =
  'customers products suppliers employees warehouses orders order_lines invoices payments shipments stock_levels'.split(
    ' ',
  );
const THEIR_CODES = 'order_statuses payment_kinds shipment_states employee_roles'.split(' ');
const THEIR_CALLS: readonly Call[] = [
  ['search_objects', { object_type: 'table', limit: 1000 }],
  ...THEIR_TABLES.map((pattern): Call => ['search_objects', { object_type: 'table', pattern, detail_level: 'full' }]),
  ['execute_sql', { sql: THEIR_CODES.map((table) => `SELECT * FROM ${table}`).join('; ') }],
  ['execute_sql', { sql: STATEMENTS.slice(0, 12).join('; ') }],
  ['execute_sql', { sql: STATEMENTS.slice(12).join('; ') }],
];
const MOST_CALLS = 12;

const answerSchema = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

/** The tokens of a fixed list of calls on a wide schema, beside those of the other server's. */
export async function replayFigures(cache: string, tokens: (text: string) => number): Promise<Figure[]> {
  const project = makeWideProject(join(cache, 'wide'));
  const stage = await openStage(project, join(cache, 'wide-home'));
  const theirs = dbhubOverStdio(sqliteDsn(project.database));
  const ours = await stage.client();
  try {
    await theirs.initialize('bench');
    const own: number[] = [];
    for (const [tool, input] of CALLS)
      own.push(tokens(await answered(ours, tool, { projectRoot: project.root, ...input })));
    const other: number[] = [];
    for (const [tool, input] of THEIR_CALLS) other.push(tokens(await textOf(theirs, tool, input)));
    const [tool, input] = THEIR_FIRST_LOOK;
    const whole = tokens(await textOf(theirs, tool, input));
    return [
      firstLook(own[0] ?? 0, whole),
      questions(sum(own), sum(other)),
      ...(await formFigures(ours, project.root, tokens)),
    ];
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
    await stage.sidecar.stop();
  }
}

/** Where a statement fails, its error stands among the answers of the others. */
async function answered(client: McpClient, tool: string, input: Record<string, unknown>): Promise<string> {
  const text = await call(client, tool, input);
  if (/^-- \d+: /m.test(text)) throw new Error(`${tool}: ${text.slice(0, 500)}`);
  return text;
}

async function textOf(client: McpClient, tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { isError, content } = answerSchema.parse(await client.callTool(tool, { ...input }));
  const text = content.map((part) => part.text).join('');
  if (isError === true) throw new Error(`dbhub, ${tool}: ${text.slice(0, 500)}`);
  return text;
}

function firstLook(own: number, other: number): Figure {
  return {
    what: 'tokens of the first look at a schema of 50 tables',
    budget: '≤ 0.15x dbhub',
    figure: `${own} to ${other} (${(own / other).toFixed(2)}x)`,
    met: own <= other * 0.15,
    numbers: { tokens: own, dbhubTokens: other },
  };
}

function questions(own: number, other: number): Figure {
  return {
    what: `tokens of ${QUESTIONS.length} questions on it, in ${CALLS.length} calls (dbhub: ${THEIR_CALLS.length})`,
    budget: `≤ 0.5x dbhub, ≤ ${MOST_CALLS} calls`,
    figure: `${own} to ${other} (${(own / other).toFixed(2)}x)`,
    met: own <= other / 2 && CALLS.length <= MOST_CALLS,
    numbers: { tokens: own, dbhubTokens: other, calls: CALLS.length },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
