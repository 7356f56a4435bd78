import { describeOnLinux } from '../../fixtures/labs/needs.ts';
import { memoryOf } from './helpers/sqlite-processes.ts';
import { DIST, startSidecar } from './helpers/start-sidecar.ts';
import { StdioClient } from './helpers/stdio-client.ts';
import { tempProject } from './helpers/temp-project.ts';

const MB = 1024 * 1024;
const ANSWERS = 40;

describeOnLinux('a sidecar that gives large answers', () => {
  it('does not keep them: forty answers of 1 MiB take no more memory than a few', async () => {
    const project = tempProject();
    project.database(
      'many.db',
      `CREATE TABLE events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       SELECT i AS id, 'kind ' || i % 7 AS kind, i * 0.5 AS amount, 'a "note" about ' || i || ' that is ünusual' AS note FROM n`,
    );
    const sidecar = await startSidecar(project);
    const client = await StdioClient.connect({ bundleDir: DIST, home: project.home });
    try {
      const args = { projectRoot: project.root, query: 'SELECT * FROM events', limit: 10_000 };
      const first = await client.call('run-query', args);
      expect(JSON.parse(first.text)).toMatchObject({ truncated: true, rows: expect.any(Array) });
      const before = memoryOf(sidecar.pid).peak;
      for (let answer = 0; answer < ANSWERS; answer += 1) await client.call('run-query', args);
      expect(memoryOf(sidecar.pid).peak - before).toBeLessThan(40 * MB);
    } finally {
      await client.end();
      await sidecar.stop();
      project.remove();
    }
  });
});
