import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { McpClient } from '../../fixtures/labs/mcp-client.ts';

const FOLDER = import.meta.dirname;
const ENTRY = join(FOLDER, 'node_modules', '@bytebase', 'dbhub', 'dist', 'index.js');

/** Installs the server to compare with, once. It is not a dependency of the project, since nothing else needs it. */
export function ensureDbhub(): void {
  if (existsSync(ENTRY)) return;
  process.stderr.write('Installing @bytebase/dbhub for the comparison ...\n');
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm could not install @bytebase/dbhub; its own words are above.');
}

/** A SQLite file's path in its own form. */
export function sqliteDsn(database: string): string {
  return `sqlite://${database}`;
}

export function dbhubArgs(dsn: string): string[] {
  return [ENTRY, '--transport', 'stdio', '--dsn', dsn];
}

/** It, answering over stdio in its own process. Its banner on stderr is not shown. */
export function dbhubOverStdio(dsn: string): McpClient {
  return new McpClient({ command: process.execPath, args: dbhubArgs(dsn), env: process.env, quiet: true });
}

export interface DbhubHttp {
  query(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** It, answering over its own HTTP, in the quickest way: plain requests on a kept connection. */
export async function dbhubOverHttp(dsn: string): Promise<DbhubHttp> {
  const port = await freePort();
  const args = [ENTRY, '--transport', 'http', '--host', '127.0.0.1', '--port', String(port), '--dsn', dsn];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilListening(child);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let id = 0;
  return {
    query: async (sql) => {
      id += 1;
      const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'execute_sql', arguments: { sql } } };
      const text = await post(port, agent, JSON.stringify(message));
      if (!text.includes('"rows')) throw new Error(`dbhub answered: ${text.slice(0, 200)}`);
    },
    close: () => {
      agent.destroy();
      return ended(child);
    },
  };
}

function post(port: number, agent: Agent, body: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (part: Buffer) => {
      said += part.toString('utf8');
      if (said.includes('MCP server endpoint')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`dbhub ended with ${code}: ${said.slice(-500)}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
