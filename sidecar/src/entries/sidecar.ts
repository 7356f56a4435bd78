import { join } from 'node:path';
import { runEntry } from '../host/bundle-entry.ts';
import { LEAST_NODE, nodeProblem } from '../host/node-version.ts';
import { keepYoungSpaceSmall } from '../host/young-space.ts';

// What the extension forks: the window's sidecar, with the pipe on stdin and stdout.
const BUNDLE_DIR = import.meta.dirname;

const problem = nodeProblem(process.version, LEAST_NODE, 'The DevDB sidecar');
if (problem === undefined) {
  keepYoungSpaceSmall();
  runEntry(join(BUNDLE_DIR, 'commands.js'), { bundleDir: BUNDLE_DIR, argv: ['sidecar'] });
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
