import { parentPort, workerData } from 'node:worker_threads';
import { detect } from '../detect.ts';
import { DETECTORS } from '../index.ts';
import { receive, send, type ThreadMessage, type ThreadTask } from './messages.ts';

// Looks for databases apart from what answers calls: nothing in a repository can hold that up. It is ended from outside
// when it takes too long, so that it says what it is doing before it does it.

const port = parentPort;
if (port === null) throw new Error('This file runs as a thread of the sidecar.');
const tell = (message: ThreadMessage): void => port.postMessage(message);

async function run({ projectRoot, env, insideContainer, given }: ThreadTask): Promise<void> {
  const result = await detect(
    {
      projectRoot,
      env,
      insideContainer,
      given: { ...given, found: given.found.map(receive) },
      detectors: DETECTORS,
      now: Date.now,
      log: (event, facts) => tell({ kind: 'log', event, facts: plainFacts(facts) }),
      watch: {
        at: (detector, file) => tell({ kind: 'at', detector, file }),
        part: (part) => tell({ kind: 'part', part: { ...part, found: part.found.map(send) } }),
      },
    },
    new AbortController().signal,
  );
  tell({ kind: 'done', result: { ...result, found: result.found.map(send) } });
}

/** An error keeps its stack on the way; anything else that cannot be copied would end the run. */
function plainFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = (value: unknown): unknown => (value instanceof Error ? value : String(value));
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, plain(value)]));
}

// What it rejects with reaches who started this thread as the thread's error.
run(workerData);
