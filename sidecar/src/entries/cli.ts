import { join } from 'node:path';
import { loadCached } from '../host/cached-load.ts';
import { LEAST_NODE, LEAST_NODE_FOR_STDIO, nodeProblem } from '../host/node-version.ts';

// This file stays tiny: `devdb mcp` passes through it on its way to the stdio entry, which starts in tens of
// milliseconds, and an old Node must get as far as its sentence.
const BUNDLE_DIR = import.meta.dirname;

function main(argv: readonly string[]): void {
  const isStdio = argv[0] === 'mcp' && !argv.includes('--help');
  const problem = nodeProblem(process.version, isStdio ? LEAST_NODE_FOR_STDIO : LEAST_NODE, 'DevDB');
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  const file = join(BUNDLE_DIR, isStdio ? 'mcp-stdio.js' : 'commands.js');
  const entry = entryOf(loadCached(file));
  entry.main({ bundleDir: BUNDLE_DIR, argv: isStdio ? argv.slice(1) : argv });
}

interface Entry {
  main(options: { readonly bundleDir: string; readonly argv: readonly string[] }): unknown;
}

function entryOf(loaded: unknown): Entry {
  if (isEntry(loaded)) return loaded;
  throw new Error('The DevDB bundle is not complete: build it again with `npm run build`.');
}

function isEntry(loaded: unknown): loaded is Entry {
  return typeof loaded === 'object' && loaded !== null && 'main' in loaded && typeof loaded.main === 'function';
}

main(process.argv.slice(2));
