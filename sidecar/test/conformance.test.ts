import { McpSessions } from '../src/doors/mcp/sessions.ts';
import { fetchSuite, runSuite, tokenHop } from './helpers/conformance-suite.ts';
import { conformanceServer, eventsInMemory } from './helpers/conformance-tools.ts';
import { openDoor, TOKEN } from './helpers/http-door.ts';
import { startSidecar } from './helpers/start-sidecar.ts';
import { tempProject } from './helpers/temp-project.ts';

const FETCH_TIMEOUT_MS = 180_000;
const RUN_TIMEOUT_MS = 150_000;
const RETRY_MS = 500;
const SCENARIOS = 32;
/** Scenarios that apply to any server, whatever its tools are. */
const GENERIC = ['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'];
/** It requests an older protocol version than the events it looks for, so it has nothing to check: two warnings. */
const WITHOUT_CHECKS = ['server-sse-polling'];

let suite = '';
beforeAll(async () => {
  suite = await fetchSuite();
}, FETCH_TIMEOUT_MS);

it(
  'serves every fixture of the conformance suite through the same doors, sessions and transport',
  async () => {
    const newSessions = async (): Promise<McpSessions> =>
      new McpSessions({
        newServer: conformanceServer,
        log: () => undefined,
        resumption: () => ({ eventStore: eventsInMemory(), retryInterval: RETRY_MS }),
      });
    const door = await openDoor({}, { openMcp: newSessions });
    const hop = await tokenHop(door.port, TOKEN);
    try {
      const results = await runSuite(suite, hop.url);
      expect(results).toHaveLength(SCENARIOS);
      expect(results.filter(({ failed }) => failed > 0)).toEqual([]);
      expect(results.filter(({ passed }) => passed === 0).map(({ scenario }) => scenario)).toEqual(WITHOUT_CHECKS);
    } finally {
      await hop.close();
      await door.close();
    }
  },
  RUN_TIMEOUT_MS,
);

it(
  'passes the generic scenarios with its own tools, started as a user starts it',
  async () => {
    const project = tempProject();
    project.database('app.sqlite', 'CREATE TABLE users (id INTEGER PRIMARY KEY)');
    const sidecar = await startSidecar(project);
    const hop = await tokenHop(sidecar.port, sidecar.token);
    try {
      for (const scenario of GENERIC) {
        const [result] = await runSuite(suite, hop.url, scenario);
        expect(result).toMatchObject({ scenario, failed: 0 });
        expect(result?.passed).toBeGreaterThan(0);
      }
    } finally {
      await hop.close();
      await sidecar.stop();
      project.remove();
    }
  },
  RUN_TIMEOUT_MS,
);
