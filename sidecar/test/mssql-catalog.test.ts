import type { PeerCell, PeerColumn, PeerMessage, PeerScript, PeerStep } from '../../fixtures/tds-peer/index.ts';
import { CAPS, type PeerSession, patience, peerSession } from './helpers/mssql-peer.ts';
import { explainOf, readOf } from './helpers/statements.ts';

let at: PeerSession;

afterEach(async () => {
  await at.end();
});

function result(types: readonly string[], rows: readonly (readonly PeerCell[])[]): PeerStep {
  return { columns: types.map((type, i): PeerColumn => [`c${i}`, type]), rows };
}

const TABLES = result(
  ['int', 'nvarchar(128)', 'nvarchar(128)', 'nvarchar(20)'],
  [
    ['11', 'dbo', 'customers', 'table'],
    ['12', 'dbo', 'orders', 'table'],
    ['13', 'dbo', 'order_totals', 'view'],
    ['14', 'billing', 'invoices', 'table'],
  ],
);

/** The engine's catalogue queries, recognized by what only they ask. */
function catalog(answers: PeerScript = () => undefined): PeerScript {
  return (request, state) => {
    const own = answers(request, state);
    if (own !== undefined || request.kind !== 'rpc') return own;
    return request.sql.includes("SERVERPROPERTY('EngineEdition')")
      ? [result(['int', 'nvarchar(128)', 'nvarchar(128)'], [['3', '16.0.4135.4', 'Developer Edition (64-bit)']])]
      : request.sql.includes('is_external') && !request.sql.includes('sys.columns')
        ? [TABLES]
        : undefined;
  };
}

function failing(error: PeerMessage): PeerScript {
  return catalog(({ sql, kind }) => {
    if (sql.includes('LOWER(@words)')) return [result(['nvarchar(128)'], [['name'], ['email'], ['placed_at']])];
    return kind === 'batch' && sql.startsWith('SELECT x') ? [{ error }] : undefined;
  });
}

describe('errors', () => {
  it.each([
    [102, "Incorrect syntax near ','.", 15, { hint: undefined }],
    [229, "The SELECT permission was denied on the object 'orders'.", 14, { hint: expect.stringContaining('GRANT') }],
    [
      1205,
      'Transaction (Process ID 55) was deadlocked on lock resources and has been chosen as the deadlock victim.',
      13,
      { hint: expect.stringContaining('Call again') },
    ],
    [1222, 'Lock request time out period exceeded.', 16, { hint: expect.stringContaining('lock') }],
    [8134, 'Divide by zero error encountered.', 16, { hint: undefined }],
  ])("keep the server's message and number %i", async (number, message, severity, expected) => {
    at = await peerSession(failing({ number, message, severity, line: 3 }));
    await expect(readOf(at.session, 'SELECT x FROM orders', CAPS, patience())).rejects.toMatchObject({
      code: 'E_SQL',
      message,
      details: { engineCode: String(number), errno: number, line: 3 },
      ...expected,
    });
  });

  it('suggest similar tables', async () => {
    at = await peerSession(failing({ number: 208, message: "Invalid object name 'costumers'." }));
    await expect(readOf(at.session, 'SELECT x FROM costumers', CAPS, patience())).rejects.toMatchObject({
      code: 'E_UNKNOWN_TABLE',
      hint: expect.stringContaining('customers'),
      details: { engineCode: '208', errno: 208, near: ['customers'] },
    });
  });

  it.each([
    ['emial', 'Near columns: email.'],
    ['"emial"', 'Near columns: email. Use single quotes for text; double quotes are for names.'],
  ])('suggest similar columns for %s, and explain quotes', async (written, hint) => {
    at = await peerSession(failing({ number: 207, message: "Invalid column name 'emial'." }));
    await expect(readOf(at.session, `SELECT x, ${written} FROM customers`, CAPS, patience())).rejects.toMatchObject({
      code: 'E_SQL',
      message: "Invalid column name 'emial'.",
      hint,
      details: { engineCode: '207', errno: 207, near: ['email'] },
    });
  });

  it('appear alone when the names cannot be looked up', async () => {
    at = await peerSession(({ sql }) =>
      sql.startsWith('SELECT x')
        ? [{ error: { number: 208, message: "Invalid object name 'costumers'." } }]
        : undefined,
    );
    await expect(readOf(at.session, 'SELECT x FROM costumers', CAPS, patience())).rejects.toMatchObject({
      code: 'E_SQL',
      message: "Invalid object name 'costumers'.",
    });
    expect(at.logged.map(({ event }) => event)).toContain('mssql-near-names-failed');
  });
});

describe('the catalogue', () => {
  it('lists tables, those of dbo bare', async () => {
    at = await peerSession(catalog());
    expect(await at.session.tables(patience())).toEqual(['customers', 'orders', 'order_totals', 'billing.invoices']);
  });

  it('reports product and version', async () => {
    at = await peerSession(catalog());
    expect(await at.session.facts(patience())).toEqual({
      type: 'mssql',
      product: 'SQL Server, Developer Edition (64-bit)',
      version: '16.0.4135.4',
    });
  });

  it("declares a table from the server's facts", async () => {
    at = await peerSession(
      catalog(({ sql, parameters }) =>
        sql.includes('sys.check_constraints') ? schemaOf(parameters['id'] ?? '') : undefined,
      ),
    );
    expect(await at.session.schema('billing.invoices', patience())).toBe(INVOICES);
  });

  it('finds a table by any case and with its schema', async () => {
    at = await peerSession(
      catalog(({ sql, parameters }) =>
        sql.includes('sys.check_constraints') ? schemaOf(parameters['id'] ?? '') : undefined,
      ),
    );
    expect(await at.session.schema('[BILLING].[Invoices]', patience())).toBe(INVOICES);
    expect(await at.session.schema('Invoices', patience())).toBe(INVOICES);
    await expect(at.session.schema('invoice', patience())).rejects.toMatchObject({
      code: 'E_UNKNOWN_TABLE',
      details: { near: ['billing.invoices'] },
    });
  });

  it('gives the whole schema in one exchange', async () => {
    at = await peerSession(catalog(({ sql }) => (sql.includes('sys.partitions') ? OVERVIEW : undefined)));
    expect(await at.session.overview(undefined, patience())).toEqual({
      tables: [
        {
          name: 'customers',
          kind: 'table',
          columns: ['id int PK NOT NULL', 'email nvarchar(200) NOT NULL UNIQUE'],
          rows: 4,
          comment: 'who buys',
        },
        {
          name: 'orders',
          kind: 'table',
          columns: ['id bigint PK NOT NULL', 'customer_id int', 'total decimal(12,2) GENERATED'],
          rows: 9007199254740991,
        },
        { name: 'order_totals', kind: 'view', columns: [], rows: null },
        { name: 'billing.invoices', kind: 'table', columns: [], rows: null },
      ],
      foreignKeys: ['orders(customer_id) -> customers(id)'],
      truncated: false,
    });
    expect(at.peer.transcript.filter(({ event }) => event === 'rpc')).toHaveLength(1);
    expect((await at.session.overview(['Orders'], patience())).tables.map(({ name }) => name)).toEqual(['orders']);
    expect(await at.session.overview(['Customers', 'ordres'], patience())).toMatchObject({
      tables: [{ name: 'customers' }],
      foreignKeys: [],
      referencedBy: ['orders(customer_id) -> customers(id)'],
      unknown: [{ name: 'ordres', near: ['orders'] }],
    });
  });

  it('gives indexes and the definitions of views in the same exchange when they are asked for', async () => {
    const types = ['int', 'nvarchar(128)', 'bit', 'bit', 'nvarchar(128)', 'nvarchar(400)'];
    const indexes = result(types, [
      ['11', 'pk_customers', '1', '1', 'id', null],
      ['12', 'ix by day', '1', '0', 'customer_id', '([total]>(0))'],
      ['12', 'ix by day', '1', '0', 'total', '([total]>(0))'],
    ]);
    const views = result(['int', 'nvarchar(400)'], [['13', 'CREATE VIEW order_totals AS SELECT 1 AS one']]);
    at = await peerSession(
      catalog(({ sql }) => {
        if (!sql.includes('sys.partitions')) return undefined;
        return [
          ...OVERVIEW,
          ...(sql.includes('filter_definition') ? [indexes] : []),
          ...(sql.includes('sql_modules') ? [views] : []),
        ];
      }),
    );
    const { tables } = await at.session.overview(undefined, patience(), ['indexes', 'views']);
    expect(tables.map(({ name, indexes: own, definition }) => [name, own, definition])).toEqual([
      ['customers', undefined, undefined],
      ['orders', ['UNIQUE [ix by day] (customer_id, total) WHERE ([total]>(0))'], undefined],
      ['order_totals', undefined, 'CREATE VIEW order_totals AS SELECT 1 AS one'],
      ['billing.invoices', undefined, undefined],
    ]);
    const alone = await at.session.overview(['order_totals'], patience(), ['views']);
    expect(alone.tables[0]?.definition).toBe('CREATE VIEW order_totals AS SELECT 1 AS one');
  });

  it('finds names of every kind', async () => {
    at = await peerSession(
      catalog(({ sql }) => (sql.includes('type_desc') && sql.includes('sys.columns') ? SEARCH : undefined)),
    );
    expect(await at.session.search('order', undefined, patience())).toEqual({
      matches: [
        { kind: 'table', name: 'orders' },
        { kind: 'view', name: 'order_totals' },
        { kind: 'column', name: 'order_id', table: 'billing.invoices', type: 'bigint' },
        { kind: 'routine', name: 'close_order', type: 'sql stored procedure' },
        { kind: 'index', name: 'ix_invoices_order', table: 'billing.invoices', type: 'unique (order_id, line_no)' },
        { kind: 'key', name: 'fk_order', table: 'billing.invoices', type: 'foreign key (order_id) -> orders(id)' },
      ],
      total: 6,
      truncated: false,
    });
    expect((await at.session.search('*_order', 'routine', patience())).total).toBe(1);
    expect((await at.session.search('who buys|bought', undefined, patience())).matches).toEqual([
      { kind: 'table', name: 'customers', comment: 'who buys' },
      expect.objectContaining({ kind: 'column', name: 'order_id', comment: 'what was bought' }),
    ]);
    expect((await at.session.search('costumers', 'key', patience())).near).toEqual(['customers']);
    expect((await at.session.search('pk_*|uq_*', 'key', patience())).matches.map(({ type }) => type)).toEqual([
      'primary key (id)',
      'unique (email)',
    ]);
  });
});

const name = 'nvarchar(128)';
const note = 'nvarchar(max)';

function schemaOf(id: string): PeerStep[] {
  expect(id).toBe('14');
  return [
    result(
      [name, name, 'smallint', 'tinyint', 'tinyint', name, 'bit', name, note, 'bit', name, note, 'bit', 'bit'],
      [
        ['id', 'bigint', '8', '19', '0', null, '0', '1, 1', null, null, null, null, '0', '0'],
        ['order', 'int', '4', '10', '0', null, '0', null, null, null, null, null, '0', '0'],
        ['amount', 'decimal', '9', '12', '2', null, '0', null, null, null, 'df_amount', '((0))', '0', '0'],
        ['tax', 'decimal', '9', '15', '4', null, '1', null, '([amount]*(0.19))', '1', null, null, '0', '0'],
        ['note', 'nvarchar', '-1', '0', '0', 'Latin1_General_CS_AS', '1', null, null, null, null, null, '0', '1'],
        ['sent', 'datetimeoffset', '10', '34', '7', null, '1', null, null, null, null, null, '0', '0'],
      ],
    ),
    result([name, note], [['ck_amount', '([amount]>=(0))']]),
    result(
      [name, name, 'bit', 'bit', 'bit', note, name, 'bit', 'bit'],
      [
        ['pk_invoices', 'CLUSTERED', '1', '1', '0', null, 'id', '0', '0'],
        ['uq_order', 'NONCLUSTERED', '1', '0', '1', null, 'order', '0', '0'],
        ['ix_open', 'NONCLUSTERED', '0', '0', '0', '([sent] IS NULL)', 'amount', '1', '0'],
        ['ix_open', 'NONCLUSTERED', '0', '0', '0', '([sent] IS NULL)', 'order', '0', '0'],
        ['ix_open', 'NONCLUSTERED', '0', '0', '0', '([sent] IS NULL)', 'note', '0', '1'],
      ],
    ),
    result(
      [name, name, name, name, name, name, name],
      [['fk_order', 'order', 'dbo', 'orders', 'id', 'CASCADE', 'NO_ACTION']],
    ),
    result(
      [name, note],
      [
        [null, "it's what we ask for"],
        ['note', 'free text'],
      ],
    ),
    result([note], [['CREATE TRIGGER billing.stamp ON billing.invoices AFTER UPDATE AS SET NOCOUNT ON']]),
  ];
}

const INVOICES = `IF SCHEMA_ID(N'billing') IS NULL EXEC(N'CREATE SCHEMA [billing]');
CREATE TABLE billing.invoices (
  id bigint IDENTITY(1, 1) NOT NULL,
  [order] int NOT NULL,
  amount decimal(12,2) NOT NULL CONSTRAINT df_amount DEFAULT ((0)),
  tax AS ([amount]*(0.19)) PERSISTED,
  note nvarchar(max) COLLATE Latin1_General_CS_AS SPARSE NULL,
  sent datetimeoffset(7) NULL,
  CONSTRAINT pk_invoices PRIMARY KEY CLUSTERED (id),
  CONSTRAINT uq_order UNIQUE NONCLUSTERED ([order]),
  CONSTRAINT ck_amount CHECK ([amount]>=(0))
);
ALTER TABLE billing.invoices ADD CONSTRAINT fk_order FOREIGN KEY ([order]) REFERENCES orders (id) ON DELETE CASCADE;
CREATE NONCLUSTERED INDEX ix_open ON billing.invoices (amount DESC, [order]) INCLUDE (note) WHERE ([sent] IS NULL);
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'it''s what we ask for', @level0type = N'SCHEMA', @level0name = N'billing', @level1type = N'TABLE', @level1name = N'invoices';
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'free text', @level0type = N'SCHEMA', @level0name = N'billing', @level1type = N'TABLE', @level1name = N'invoices', @level2type = N'COLUMN', @level2name = N'note';
GO
CREATE TRIGGER billing.stamp ON billing.invoices AFTER UPDATE AS SET NOCOUNT ON;`;

const OVERVIEW: readonly PeerStep[] = [
  TABLES,
  result(
    ['int', name, name, 'smallint', 'tinyint', 'tinyint', 'bit', 'bit', 'int', 'int'],
    [
      ['11', 'id', 'int', '4', '10', '0', '0', '0', '1', '0'],
      ['11', 'email', 'nvarchar', '400', '0', '0', '0', '0', '0', '1'],
      ['12', 'id', 'bigint', '8', '19', '0', '0', '0', '1', '0'],
      ['12', 'customer_id', 'int', '4', '10', '0', '1', '0', '0', '0'],
      ['12', 'total', 'decimal', '9', '12', '2', '1', '1', '0', '0'],
    ],
  ),
  result(['int', 'int', name, name, name, name], [['90', '12', 'customer_id', 'dbo', 'customers', 'id']]),
  result(
    ['int', 'bigint'],
    [
      ['11', '4'],
      ['12', '9007199254740991'],
    ],
  ),
  result(['int', note], [['11', 'who buys']]),
];

const SEARCH: readonly PeerStep[] = [
  TABLES,
  result(
    [name, name, name, name, 'smallint', 'tinyint', 'tinyint', 'nvarchar(400)'],
    [
      ['id', 'dbo', 'customers', 'int', '4', '10', '0', null],
      ['order_id', 'billing', 'invoices', 'bigint', '8', '19', '0', 'what was bought'],
    ],
  ),
  result([name, name, name], [['dbo', 'close_order', 'sql stored procedure']]),
  result(
    [name, name, name, 'bit', 'bit', 'bit', name],
    [
      ['billing', 'invoices', 'ix_invoices_order', '1', '0', '0', 'order_id'],
      ['billing', 'invoices', 'ix_invoices_order', '1', '0', '0', 'line_no'],
      ['dbo', 'customers', 'pk_customers', '1', '1', '0', 'id'],
      ['dbo', 'customers', 'uq_customers_email', '1', '0', '1', 'email'],
    ],
  ),
  result(
    [name, name, name, name, name, name, name],
    [['billing', 'invoices', 'fk_order', 'order_id', 'dbo', 'orders', 'id']],
  ),
  result([name, name, 'nvarchar(400)'], [['dbo', 'customers', 'who buys']]),
];

describe('a plan', () => {
  const XML = `<ShowPlanXML xmlns="http://schemas.microsoft.com/sqlserver/2004/07/showplan"><BatchSequence><Batch><Statements><StmtSimple StatementText="SELECT &lt;x&gt;" StatementEstRows="25"><QueryPlan>
    <MissingIndexes><MissingIndexGroup Impact="95.4"><MissingIndex Database="[shop]" Schema="[billing]" Table="[invoices]"><ColumnGroup Usage="EQUALITY"><Column Name="[order]" ColumnId="2"/></ColumnGroup><ColumnGroup Usage="INCLUDE"><Column Name="[amount]" ColumnId="3"/></ColumnGroup></MissingIndex></MissingIndexGroup></MissingIndexes>
    <RelOp NodeId="0" PhysicalOp="Nested Loops" LogicalOp="Inner Join" EstimateRows="25"><NestedLoops>
      <RelOp NodeId="1" PhysicalOp="Clustered Index Scan" LogicalOp="Clustered Index Scan" EstimateRows="25" TableCardinality="50000"><RunTimeInformation><RunTimeCountersPerThread Thread="1" ActualRows="3000"/><RunTimeCountersPerThread Thread="2" ActualRows="2000"/></RunTimeInformation><IndexScan><Object Database="[shop]" Schema="[billing]" Table="[invoices]" Index="[pk_invoices]"/></IndexScan></RelOp>
      <RelOp NodeId="2" PhysicalOp="Clustered Index Seek" LogicalOp="Clustered Index Seek" EstimateRows="1" TableCardinality="10"><IndexScan Lookup="1"><Object Database="[shop]" Schema="[dbo]" Table="[orders]" Index="[pk_orders]"/></IndexScan></RelOp>
    </NestedLoops></RelOp></QueryPlan></StmtSimple></Statements></Batch></BatchSequence></ShowPlanXML>`;
  const PLAN: PeerStep = { columns: [['Microsoft SQL Server 2005 XML Showplan', 'xml']], rows: [[XML]] };
  const NODES = [
    {
      operation: 'nested loop',
      detail: 'Nested Loops (Inner Join)',
      estimatedRows: 25,
      children: [
        {
          operation: 'scan',
          table: 'billing.invoices',
          index: 'pk_invoices',
          detail: 'Clustered Index Scan',
          estimatedRows: 25,
          actualRows: 5000,
          children: [],
        },
        {
          operation: 'lookup',
          table: 'orders',
          index: 'pk_orders',
          detail: 'Clustered Index Seek',
          estimatedRows: 1,
          children: [],
        },
      ],
    },
  ];

  it('is made on a separate connection, and runs nothing', async () => {
    at = await peerSession(({ sql }, { modes }) =>
      sql.startsWith('DELETE') && modes.has('SHOWPLAN_XML') ? [PLAN] : undefined,
    );
    const explained = await explainOf(at.session, 'DELETE FROM billing.invoices', true, patience());
    expect(explained.plan).toEqual(NODES);
    expect(explained).toMatchObject({ analyzed: false });
    expect(explained.measured).toBeUndefined();
    expect(at.peer.texts(1).slice(-7)).toEqual([
      'SET XACT_ABORT OFF; BEGIN TRANSACTION; SELECT @@TRANCOUNT',
      'SET SHOWPLAN_XML ON',
      'SELECT 1 AS probe',
      'DELETE FROM billing.invoices',
      'SET SHOWPLAN_XML OFF',
      'SELECT @@TRANCOUNT',
      'ROLLBACK TRANSACTION',
    ]);
    expect(at.peer.ledger).toMatchObject({ ran: [], committed: [] });
  });

  it('warns where it matters', async () => {
    at = await peerSession(({ sql }, { modes }) =>
      sql === 'SELECT 1' && modes.has('SHOWPLAN_XML') ? [PLAN] : undefined,
    );
    const { flags } = await explainOf(at.session, 'SELECT 1', false, patience());
    expect(flags.map(({ flag, table }) => [flag, table])).toEqual([
      ['full-scan', 'billing.invoices'],
      ['rows-misjudged', 'billing.invoices'],
      ['missing-index', 'billing.invoices'],
    ]);
    expect(flags[2]?.message).toContain('(order) INCLUDE (amount), and expects 95% less work');
  });

  it('is measured under guard', async () => {
    at = await peerSession(({ sql }, { modes }) =>
      sql === 'SELECT 1' && modes.has('STATISTICS XML') ? [result(['int'], [['1'], ['2']]), PLAN] : undefined,
    );
    expect(await explainOf(at.session, 'SELECT 1', true, patience())).toMatchObject({
      analyzed: true,
      plan: NODES,
      measured: { rows: 2, durationMs: expect.any(Number) },
    });
    expect(at.peer.texts(1).slice(-4)).toEqual([
      'SET STATISTICS XML ON',
      'SELECT 1',
      'SELECT @@TRANCOUNT',
      'ROLLBACK TRANSACTION',
    ]);
  });

  it('reports when the server makes none', async () => {
    at = await peerSession(({ sql }) => (sql === 'DROP TABLE t' ? [] : undefined));
    await expect(explainOf(at.session, 'DROP TABLE t', false, patience())).rejects.toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('has no plan'),
    });
  });
});

describe('a table whose rows are edited', () => {
  const COLUMN = ['nvarchar(128)', 'nvarchar(128)', 'int', 'int', 'int', 'nvarchar(128)', 'bit', 'nvarchar(80)'];
  const MORE = ['nvarchar(200)', 'bit', 'nvarchar(128)', 'nvarchar(200)', 'bit', 'bit', 'int'];
  const column = (
    name: string,
    type: string,
    facts: { identity?: string; computed?: string; generated?: '1' } = {},
  ) => {
    const { identity = null, computed = null, generated = '0' } = facts;
    return [name, type, '40', '10', '0', null, '0', identity, computed, '0', null, null, '0', '0', generated];
  };
  const NO_ROWS = result(['int'], []);
  const schema: PeerScript = ({ sql }) => {
    if (!sql.includes('generated_always_type')) return undefined;
    const columns = [
      column('id', 'int', { identity: '1, 1' }),
      column('name', 'nvarchar'),
      column('label', 'nvarchar', { computed: '([name])' }),
      column('version', 'timestamp'),
      column('since', 'datetime2', { generated: '1' }),
      column('place', 'geography'),
    ];
    const key: PeerCell[] = ['pk', 'CLUSTERED', '1', '1', '0', null, 'id', '0', '0'];
    const link: PeerCell[] = ['fk', 'name', 'billing', 'odd]name', 'code', 'NO_ACTION', 'NO_ACTION'];
    return [
      result([...COLUMN, ...MORE], columns),
      NO_ROWS,
      result(
        ['nvarchar(20)', 'nvarchar(20)', 'bit', 'bit', 'bit', 'nvarchar(20)', 'nvarchar(20)', 'bit', 'bit'],
        [key],
      ),
      result(
        Array.from({ length: 7 }, () => 'nvarchar(128)'),
        [link],
      ),
      NO_ROWS,
      NO_ROWS,
    ];
  };

  it('has its key, its links, and columns that only the server writes', async () => {
    at = await peerSession(catalog(schema));
    const table = await at.session.editing.table(['orders'], patience());
    expect(table).toMatchObject({ name: 'orders', from: '[dbo].[orders]', key: ['id'], refusal: undefined });
    expect(table.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ['id', 'given'],
      ['name', 'plain'],
      ['label', 'given'],
      ['version', 'given'],
      ['since', 'given'],
      ['place', 'binary'],
    ]);
    expect(table.links).toEqual([
      { columns: ['name'], parent: '[billing].[odd]]name]', parentName: 'billing.odd]name', parentColumns: ['code'] },
    ]);
  });

  it('is no view', async () => {
    at = await peerSession(catalog(schema));
    const view = await at.session.editing.table(['DBO', 'Order_Totals'], patience());
    expect(view.refusal).toContain('view');
  });
});
