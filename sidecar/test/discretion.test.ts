import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient, readEnvelope, rest, stdioClient } from './helpers/clients.ts';
import { startSidecar } from './helpers/start-sidecar.ts';
import { tempProject } from './helpers/temp-project.ts';

const PASSWORD = 'Pa55w0rd-of-nobody';
const VALUE = 'a value of a cell';
const CONNECTIONS = [
  { type: 'sqlite', name: 'app', path: 'app.db' },
  { type: 'postgres', name: 'pg', host: '127.0.0.1', port: 1, username: 'u', password: PASSWORD, database: 'd' },
  { type: 'mysql', name: 'far', host: 'db.example.com', username: 'u', password: PASSWORD, database: 'd' },
];
/** Reads, errors of every kind, a write that cannot be confirmed, and unreachable databases. */
const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['list-connections', {}],
  ['get-tables', { connection: 'devdbrc:pg' }],
  ['run-query', { query: 'SELECT 1', connection: 'devdbrc:far' }],
  ['run-query', { query: 'SELECT said AS marked FROM talk' }],
  ['run-query', { query: 'SELECT marked FROM talk' }],
  ['run-query', { query: "INSERT INTO talk VALUES ('marked')" }],
  ['run-query', { query: 'SELECT 1', marked: 1 }],
  ['get-schema', { table: 'marked' }],
];

test('no answer contains a password or the token, and no log line contains these, a statement or a value', async () => {
  const project = tempProject();
  project.database('app.db', `CREATE TABLE talk(said TEXT); INSERT INTO talk VALUES ('${VALUE}')`);
  writeFileSync(join(project.root, '.devdbrc'), JSON.stringify(CONNECTIONS));
  const sidecar = await startSidecar({ ...project, env: { DEVDB_LOG_LEVEL: 'info' } });
  const [stdio, http] = [await stdioClient(project.home), await httpClient(sidecar)];
  const answers: { readonly text: string; readonly requestId: string }[] = [];
  try {
    for (const [tool, input] of CALLS) {
      const { body } = await rest(sidecar, 'POST', `/tools/${tool}`, input);
      answers.push({ text: JSON.stringify(body), requestId: readEnvelope(body).meta.requestId });
      for (const [client, more] of [
        [stdio, { projectRoot: project.root }],
        [http, {}],
      ] as const) {
        const { text, envelope } = await client.call(tool, { ...more, ...input });
        answers.push({ text: text + JSON.stringify(envelope), requestId: envelope.meta.requestId });
      }
    }
  } finally {
    await stdio.close();
    await http.close();
    await sidecar.stop();
  }
  const logs = join(project.home, 'logs');
  const kept = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  project.remove();
  for (const { text } of answers) {
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(sidecar.token);
  }
  expect(answers.some(({ text }) => text.includes(VALUE))).toBe(true);
  for (const log of [sidecar.stderr(), kept.join('')]) {
    for (const hidden of [PASSWORD, sidecar.token, VALUE, 'marked', 'SELECT']) expect(log).not.toContain(hidden);
    for (const { requestId } of answers) expect(log.split(requestId)).toHaveLength(2);
  }
});
