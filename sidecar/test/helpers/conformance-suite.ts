import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmInstall } from './npm-cache.ts';

const NAME = '@modelcontextprotocol/conformance';
const VERSION = '0.1.16';
const RUN_TIMEOUT_MS = 120_000;

const run = promisify(execFile);

export interface ScenarioResult {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
}

/** Fetches the suite once and returns its entry file, which runs on the same Node as the tests. */
export async function fetchSuite(): Promise<string> {
  const { dir } = await npmInstall(NAME, VERSION);
  return join(dir, 'node_modules', NAME, 'dist', 'index.js');
}

/** Runs one scenario, or all of them, against a server and reads the summary. */
export async function runSuite(suite: string, url: string, scenario?: string): Promise<ScenarioResult[]> {
  const out = mkdtempSync(join(tmpdir(), 'devdb-conformance-'));
  const what = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario];
  const args = [suite, 'server', '--url', url, ...what, '-o', out];
  try {
    const { stdout } = await run(process.execPath, args, { timeout: RUN_TIMEOUT_MS }).catch(readableFailure);
    return scenario === undefined ? summary(stdout) : [single(scenario, stdout)];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A run with failures exits with 1 and still has its summary. */
function readableFailure(error: unknown): { stdout: string } {
  if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string') return { stdout: error.stdout };
  throw error;
}

function summary(stdout: string): ScenarioResult[] {
  const lines = stdout.matchAll(/^[^\w\s]\s+([\w-]+): (\d+) passed, (\d+) failed/gm);
  return [...lines].map(([, scenario = '', passed, failed]) => ({
    scenario,
    passed: Number(passed),
    failed: Number(failed),
  }));
}

function single(scenario: string, stdout: string): ScenarioResult {
  const found = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(stdout);
  if (!found) throw new Error(`The suite said nothing that can be read: ${stdout}`);
  return { scenario, passed: Number(found[1]), failed: Number(found[3]) };
}

/**
 * A proxy in front of a sidecar that adds the token, which the suite cannot send. Nothing else changes: a Host or
 * Origin naming the proxy is rewritten to the sidecar behind it, any other passes unchanged.
 */
export async function tokenHop(port: number, token: string): Promise<{ url: string; close(): Promise<void> }> {
  let own = '';
  const behind = (value: string | undefined): string | undefined => value?.replace(own, `:${port}`);
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const { host, origin } = req.headers;
    const headers = {
      ...req.headers,
      authorization: `Bearer ${token}`,
      host: behind(host),
      ...(origin !== undefined && { origin: behind(origin) }),
    };
    const out = request({ host: '127.0.0.1', port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    out.on('error', (error) => res.destroy(error));
    res.on('close', () => out.destroy());
    req.pipe(out);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  own = `:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url: `http://127.0.0.1${own}/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
