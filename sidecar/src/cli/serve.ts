import { Lifetime } from '@devdb/shared/lifetime';
import { plainJson } from '@devdb/shared/plain-text';
import { openAdvertiser } from '../clients/advertise/open-advertiser.ts';
import { AnswerRoom } from '../dispatch/answer-room.ts';
import { HeldBytes } from '../engines/held-bytes.ts';
import { VERSION } from '../host/version.ts';
import { openInstallation } from '../project/installation.ts';
import { openProject } from '../project/open-project.ts';
import { projectBook } from '../project/project-book.ts';
import { isOn } from '../project/tool-selection.ts';
import type { HomeLock } from '../registry/home-lock.ts';
import {
  type Command,
  type CommandContext,
  choiceOption,
  type OptionValues,
  projectOption,
  textOption,
  UsageError,
} from './command.ts';
import { endInTime } from './end-in-time.ts';
import { openLog } from './open-log.ts';

const WRITES = ['ask', 'allow', 'deny'] as const;
const MAX_PORT = 65_535;

/** `devdb serve`: one project, no editor. */
export const serveCommand: Command = {
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
  run: serve,
};

async function serve(values: OptionValues, _words: readonly string[], context: CommandContext): Promise<number> {
  const root = projectOption(values);
  const fixedPort = portOption(values);
  const writes = choiceOption(values, 'writes', WRITES) ?? 'ask';
  const stop = new AbortController();
  const ended = untilSignal(stop);
  const lifetime = new Lifetime();
  let lock: HomeLock | undefined;
  const log = lifetime.own(openLog(context), (it) => it.close()).log;
  try {
    const shared = { held: new HeldBytes(), answers: new AnswerRoom() };
    const parts = { home: context.home, bundleDir: context.bundleDir, log, ...shared };
    const installation = await openInstallation(parts, stop.signal);
    lock = installation.lock;
    const book = projectBook(installation, root, context.env);
    if (values.get('trust') === true)
      await book.approve((await book.state(stop.signal)).entries, 'for-run', stop.signal);
    const advertiser = openAdvertiser({ installation, env: context.env, signal: stop.signal });
    await lifetime.own(advertiser, (it) => it.hide(root)).cover(root);
    // No editor tools run here, so there is nothing to ask about.
    const settings = { writes, approvals: 'deny', trusted: true } as const;
    const options = {
      root,
      kind: 'headless',
      fixedPort,
      settings,
      editor: undefined,
      connections: book,
      isOn: isOn({}),
    } as const;
    const project = lifetime.own(await openProject(installation, options, stop.signal), (it) => it.end());
    const ready = { port: project.port, projectRoot: root, pid: process.pid, version: VERSION };
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
