import { LEAST_NODE_FOR_STDIO, nodeProblem } from '../host/node-version.ts';

// Clients are configured once with this file: it is at <home>/bin, and what it starts at <home>/versions. Nothing is
// loaded before the version of Node is checked, so that an old one gets far enough to print its message.
const BIN_DIR = import.meta.dirname;

async function main(): Promise<void> {
  const problem = nodeProblem(process.version, LEAST_NODE_FOR_STDIO, 'DevDB');
  if (problem !== undefined) return fail(problem);
  // Options meant for the client's own process must not reach the processes that DevDB starts.
  delete process.env['NODE_OPTIONS'];
  const { dirname, join } = await import('node:path');
  const { launch } = await import('../host/launch.ts');
  const home = dirname(BIN_DIR);
  // A home's launcher serves that home, even if the client does not pass its environment on.
  process.env['DEVDB_HOME'] ||= home;
  const complain = (sentence: string) => process.stderr.write(`${sentence}\n`);
  const started = launch({ versionsDir: join(home, 'versions'), argv: process.argv.slice(2), complain });
  if (!started) process.exitCode = 1;
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

void main();
