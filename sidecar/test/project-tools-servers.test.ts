import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testOn } from '../../fixtures/labs/needs.ts';
import { type ReadEnvelope, readEnvelope, rest } from './helpers/clients.ts';
import { writeDevdbrc } from './helpers/corpus-doors.ts';
import { mysqlLab } from './helpers/mysql-lab.ts';
import { postgresLab } from './helpers/postgres-lab.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { tempProject } from './helpers/temp-project.ts';

/** Custom tools on database servers, through a real sidecar. */
const LABS = {
  postgres: () => postgresLab(['01-schema.sql', '02-rows.sql']),
  mysql: () => mysqlLab('mysql', ['01-schema.sql', '02-rows.sql']),
  mariadb: () => mysqlLab('mariadb', ['01-schema.sql', '02-rows.sql']),
} as const;

const TOOLS = {
  'find.meta.yaml': `
alias: customer.find
params:
  name: { type: string, description: Part of the name, required: false }
  least: { type: integer, description: Lowest id, default: 1 }
sql: "SELECT id, name FROM customers WHERE id >= :least AND (:name IS NULL OR name LIKE :name) AND name <> ':name' ORDER BY id"
mcp: { description: Customers by name }
`,
  'rename.meta.yaml': `
alias: customer.rename
params:
  id: { type: integer, description: Whose }
  name: { type: string, description: The new name }
sql: UPDATE customers SET name = :name WHERE id = :id
mcp: { description: Renames a customer }
`,
};

async function call(sidecar: RunningSidecar, tool: string, input: Record<string, unknown>): Promise<ReadEnvelope> {
  return readEnvelope((await rest(sidecar, 'POST', `/tools/${tool}`, input)).body);
}

for (const kind of ['postgres', 'mysql', 'mariadb'] as const) {
  const onServer = testOn(kind);
  onServer(`tools with parameters read, and write as the policy says, on ${kind}`, async () => {
    const lab = await LABS[kind]();
    if (lab === undefined) throw new Error(`The ${kind} of this run was left out.`);
    const project = tempProject();
    const folder = join(project.root, '.devdb/tools');
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(TOOLS)) writeFileSync(join(folder, name), text);
    writeDevdbrc(project.root, kind, lab.target);
    let sidecar = await startSidecar({ home: project.home, root: project.root });
    try {
      expect((await call(sidecar, 'customer_find', { name: '%B%' })).data).toMatchObject({
        rows: [[2, 'Bob "the builder"']],
      });
      expect((await call(sidecar, 'customer_find', { least: 3 })).data).toMatchObject({ rowCount: 2 });
      expect((await call(sidecar, 'customer_find', { name: "' OR '1'='1" })).data).toMatchObject({ rows: [] });
      const rename = { id: 4, name: "Dan'; DROP TABLE shipments; --" };
      expect((await call(sidecar, 'customer_rename', rename)).error?.code).toBe('E_CONFIRMATION_REQUIRED');
      await sidecar.stop();
      sidecar = await startSidecar({ home: project.home, root: project.root, args: ['--writes', 'allow'] });
      expect((await call(sidecar, 'customer_rename', rename)).data).toMatchObject({ affectedRows: 1 });
      expect((await call(sidecar, 'customer_find', { least: 4 })).data).toMatchObject({ rows: [[4, rename.name]] });
      const wrong = await call(sidecar, 'customer_find', { nmae: 'x' });
      expect(wrong.error).toMatchObject({ code: 'E_INVALID_PARAMS', message: expect.stringContaining('nmae') });
    } finally {
      await sidecar.stop();
      project.remove();
      await lab.remove();
    }
  });
}
