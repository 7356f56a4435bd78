import { Lifetime } from '@devdb/shared/lifetime';
import { plainJson } from '@devdb/shared/plain-text';
import { VERSION } from '../host/version.ts';
import type { OpenedProject } from '../project/open-project.ts';
import type { HomeLock } from '../registry/home-lock.ts';
import {
  type Command,
  type CommandContext,
  choiceOption,
  type OptionValues,
  type ProcessParts,
  projectOption,
  textOption,
  UsageError,
} from './command.ts';
import { endInTime } from './end-in-time.ts';
import { openLog } from './open-log.ts';

const WRITES = ['ask', 'allow', 'deny'] as const;
const MAX_PORT = 65_535;

/** What a project is served with when there is no editor. */
export interface HeadlessOptions {
  /** Canonical: real path. */
  readonly root: string;
  readonly fixedPort: number | undefined;
  readonly writes: (typeof WRITES)[number];
  /** Also uses databases that need an approval. */
  readonly trustsAll: boolean;
}

/** A sidecar without an editor, whose project is still to be opened. */
export interface HeadlessSidecar {
  readonly installation: Promise<{ readonly lock: HomeLock }>;
  readonly open: () => Promise<OpenedProject>;
}

type Compose = (parts: ProcessParts, options: HeadlessOptions) => HeadlessSidecar;

/** `devdb serve`: one project, no editor. */
export const serveCommand = (compose: Compose): Command => ({
  name: 'serve',
  usage: 'serve --project DIR [--port N] [--writes ask|allow|deny] [--trust]',
  summary: 'Serves one project without an editor, until you stop it.',
  help: [
    '  --project DIR  the project; its databases are detected',
    '  --port N       try this port first; if it is taken, the next free one',
    '  --writes W     ask (default): a person confirms each write; allow: writes run; deny: they do not',
    '  --trust        also use databases that need an approval, for this run',
    '',
    'Prints {"port","projectRoot","pid","version"} on stdout once it listens. Ctrl-C stops it.',
  ],
  options: {
    project: { type: 'string' },
    port: { type: 'string' },
    writes: { type: 'string' },
    trust: { type: 'boolean' },
  },
  runsFromCopy: true,
  run: (values, _words, context) => serve(compose, optionsOf(values), context),
});

function optionsOf(values: OptionValues): HeadlessOptions {
  return {
    root: projectOption(values),
    fixedPort: portOption(values),
    writes: choiceOption(values, 'writes', WRITES) ?? 'ask',
    trustsAll: values.get('trust') === true,
  };
}

async function serve(compose: Compose, options: HeadlessOptions, context: CommandContext): Promise<number> {
  const stop = new AbortController();
  const ended = untilSignal(stop);
  const lifetime = new Lifetime();
  let lock: HomeLock | undefined;
  const log = lifetime.own(openLog(context), (it) => it.close()).log;
  try {
    const sidecar = compose({ context, lifetime, log, signal: stop.signal }, options);
    lock = (await sidecar.installation).lock;
    const { port, root } = await sidecar.open();
    const ready = { port, projectRoot: root, pid: process.pid, version: VERSION };
    context.print(plainJson(JSON.stringify(ready)));
    await ended;
    return 0;
  } catch (error) {
    // Stopped while it started, as requested.
    if (stop.signal.aborted) return 0;
    throw error;
  } finally {
    await endInTime(lifetime, context, () => lock?.isWaitedFor === true);
  }
}

function portOption(values: OptionValues): number | undefined {
  const given = textOption(values, 'port');
  if (given === undefined) return undefined;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port < 1 || port > MAX_PORT) throw new UsageError(`--port takes a number from 1 to ${MAX_PORT}, not "${given}".`);
  return port;
}

function untilSignal(stop: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop.abort();
      resolve();
    };
    // SIGHUP: its terminal was closed.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, end);
  });
}
