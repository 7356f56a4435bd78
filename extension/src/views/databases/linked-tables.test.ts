import { LinkedTables, type LinkedTablesParts, type LinkQuestion } from './linked-tables.ts';
import type { Connection, TreeNode } from './nodes.ts';

const shop: Connection = {
  id: 'shop',
  name: 'shop.db',
  type: 'sqlite',
  target: '/work/shop/shop.db',
  source: { file: '.env', by: 'dotenv' },
  isDefault: true,
  guard: 'enforced',
  guardReason: 'It is.',
  trusted: true,
};
const outside: Connection = { ...shop, id: 'outside', name: 'outside', isDefault: false, trusted: false };

function setUp(answer: boolean | Promise<boolean>) {
  const asked: LinkQuestion[] = [];
  const lookedInto: string[] = [];
  const opened: TreeNode[] = [];
  const parts: LinkedTablesParts = {
    browser: {
      connections: async () => ({ connections: [shop, outside], skipped: [] }),
      tables: async (_root, connection) => {
        lookedInto.push(connection);
        return ['orders', 'Robert"; DROP TABLE orders; --'];
      },
    },
    roots: () => ['/work/shop'],
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
    open: async (table) => void opened.push(table),
  };
  const tables = new LinkedTables(parts);
  const open = (query: string) => tables.open({ path: '/open', query });
  return { open, asked, lookedInto, opened };
}

test('shows what the link names, and opens the table after a yes', async () => {
  const { open, asked, opened } = setUp(true);
  await open('root=/work/shop&table=orders');
  expect(asked).toEqual([
    {
      title: expect.stringContaining('orders'),
      detail: expect.stringMatching(/shop\.db.*\/work\/shop\/shop\.db.*nothing is changed/),
    },
  ]);
  expect(opened).toEqual([{ kind: 'table', root: '/work/shop', connection: shop, name: 'orders', facts: undefined }]);
});

test('looks into no database on a no', async () => {
  const { open, asked, lookedInto, opened } = setUp(false);
  await open('root=/work/shop&connection=shop&table=orders');
  expect([asked.length, lookedInto, opened]).toEqual([1, [], []]);
});

test.each([
  ['a project that is not open', 'root=/work/other&table=orders', 'E_PROJECT_NOT_OPEN'],
  ['a folder beside the project', 'root=/work/shop/../shop&table=orders', 'E_PROJECT_NOT_OPEN'],
  ['a database that is not there', 'root=/work/shop&connection=nosuch&table=orders', 'E_NO_CONNECTION'],
  ['a database without approval', 'root=/work/shop&connection=outside&table=orders', 'E_NO_CONNECTION'],
])('asks nothing for %s', async (_what, query, code) => {
  const { open, asked, lookedInto } = setUp(true);
  await expect(open(query)).rejects.toMatchObject({ code });
  expect([asked, lookedInto]).toEqual([[], []]);
});

test('opens only tables that are there: a name is never a part of a statement', async () => {
  const { open, opened } = setUp(true);
  await expect(open('root=/work/shop&table=orders WHERE 1=1; DROP TABLE orders')).rejects.toMatchObject({
    code: 'E_UNKNOWN_TABLE',
  });
  expect(opened).toEqual([]);
});

test('a page that opens many links gets one question', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { open, asked, opened } = setUp(promise);
  const first = open('root=/work/shop&table=orders');
  await Promise.all([open('root=/work/shop&table=orders'), open('root=/work/shop&table=orders')]);
  resolve(true);
  await first;
  expect([asked.length, opened.length]).toEqual([1, 1]);
  await open('root=/work/shop&table=orders');
  expect(asked).toHaveLength(2);
});
