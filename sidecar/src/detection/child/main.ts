import { Worker } from 'node:worker_threads';
import { DETECTION_TIMEOUT_MS } from '@devdb/shared/limits';
import { detect } from '../detect.ts';
import { DETECTORS } from '../index.ts';
import { type ChildMessage, type ChildTask, receive, send } from './messages.ts';

// Detects databases in a separate process from the one that answers calls, so that nothing in a repository can block it
// or use up its memory. It is killed from outside when it takes too long, so it reports each step before it starts it.

const tell = (message: ChildMessage): void => {
  process.send?.(message);
};

/** Ends when the message has left this process: nothing else gives the event loop a turn while files are read. */
const told = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });

async function run({ projectRoot, env, insideContainer, containers, given }: ChildTask): Promise<void> {
  const result = await detect(
    {
      projectRoot,
      env,
      insideContainer,
      containers,
      given: { ...given, found: given.found.map(receive) },
      detectors: DETECTORS,
      now: Date.now,
      log: (event, facts) => tell({ kind: 'log', event, facts: plainFacts(facts) }),
      watch: {
        at: (detector, file) => tell({ kind: 'at', detector, file }),
        part: (part) => told({ kind: 'part', part: { ...part, found: part.found.map(send) } }),
      },
    },
    new AbortController().signal,
  );
  await told({ kind: 'done', result: { ...result, found: result.found.map(send) } });
  process.exit();
}

/** IPC keeps an error's stack; any other value that cannot be copied would end the run. */
function plainFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = (value: unknown): unknown => (value instanceof Error ? value : String(value));
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, plain(value)]));
}

/**
 * Later than the limit of the process that started this one: that process may be dead while this one is stuck in a
 * single text.
 */
const LAST_MS = 2 * DETECTION_TIMEOUT_MS;
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${LAST_MS})`, {
  eval: true,
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
}).unref();

process.once('disconnect', () => process.exit());
process.once('message', (task: ChildTask) => {
  run(task).catch(async (error: unknown) => {
    await told({ kind: 'log', event: 'detection-failed', facts: { error } });
    process.exit(1);
  });
});
