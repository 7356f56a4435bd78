import { MESSAGES } from '@devdb/shared/protocol/calls';
import { describeOnLinux } from '../../fixtures/labs/needs.ts';
import { MAX_WAITING_ANSWER_BYTES } from '../src/dispatch/limits.ts';
import { CallsClient } from './helpers/calls-client.ts';
import { rest } from './helpers/clients.ts';
import { until } from './helpers/processes.ts';
import { memoryOf } from './helpers/sqlite-processes.ts';
import { startSidecar } from './helpers/start-sidecar.ts';
import { tempProject } from './helpers/temp-project.ts';

const CLIENTS = 16;
const CALLS = 30;

describeOnLinux('a sidecar whose clients do not read their answers', () => {
  it('runs no further call while they fill its limit, says so, and continues when they are gone', async () => {
    const project = tempProject();
    project.database(
      'many.db',
      `CREATE TABLE events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       SELECT i AS id, printf('%.4000c', 'x') AS note FROM n`,
    );
    const sidecar = await startSidecar(project);
    const clients: CallsClient[] = [];
    const query = 'SELECT * FROM events';
    const ask = (timeoutMs: number) => rest(sidecar, 'POST', '/tools/run-query', { query, limit: 1, timeoutMs });
    try {
      expect(await ask(10_000)).toMatchObject({ status: 200 });
      const before = memoryOf(sidecar.pid).now;
      for (let i = 0; i < CLIENTS; i += 1) {
        const client = await CallsClient.greeted(sidecar.port, { token: sidecar.token, client: `client-${i}` });
        clients.push(client);
        client.socket.pause();
        for (let n = 1; n <= CALLS; n += 1) client.call(n, { query, limit: 250, timeoutMs: 60_000 });
      }
      // A call that waits for its turn with the database may reach its deadline first.
      await until(
        'the bound is reached',
        async () => {
          const { status, body } = await ask(1_000);
          return (
            status === 504 && JSON.stringify(body).includes('MiB of answers are waiting for clients that do not read')
          );
        },
        60_000,
      );
      // The text and the system's buffers of it, besides the running calls.
      expect(memoryOf(sidecar.pid).peak - before).toBeLessThan(2.5 * MAX_WAITING_ANSWER_BYTES);
      const [gone, late] = [clients.slice(0, CLIENTS / 2), clients.slice(CLIENTS / 2)];
      await Promise.all(gone.map((client) => client.close()));
      for (const client of late) client.socket.resume();
      for (const client of late) {
        for (let n = 1; n <= CALLS; n += 1) expect((await client.end(n)).kind).toBe(MESSAGES.result);
      }
      expect(await ask(10_000)).toMatchObject({ status: 200 });
    } finally {
      await Promise.all(clients.map((client) => client.close()));
      await sidecar.stop();
      project.remove();
    }
  }, 180_000);
});
