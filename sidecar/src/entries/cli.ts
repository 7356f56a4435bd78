import { join } from 'node:path';
import { runEntry } from '../host/bundle-entry.ts';
import { LEAST_NODE, LEAST_NODE_FOR_STDIO, nodeProblem } from '../host/node-version.ts';
import { keepYoungSpaceSmall } from '../host/young-space.ts';

// Keep this file tiny: `devdb mcp` runs through it on its way to the stdio entry, which starts in tens of milliseconds,
// and an old Node must get far enough to print its message.
const BUNDLE_DIR = import.meta.dirname;

function main(argv: readonly string[]): void {
  const isStdio = argv[0] === 'mcp' && !argv.includes('--help') && !argv.includes('-h');
  const problem = nodeProblem(process.version, isStdio ? LEAST_NODE_FOR_STDIO : LEAST_NODE, 'DevDB');
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  if (isStdio) {
    runEntry(join(BUNDLE_DIR, 'mcp-stdio.js'), { bundleDir: BUNDLE_DIR, argv: argv.slice(1) });
    return;
  }
  keepYoungSpaceSmall();
  runEntry(join(BUNDLE_DIR, 'commands.js'), { bundleDir: BUNDLE_DIR, argv });
}

main(process.argv.slice(2));
