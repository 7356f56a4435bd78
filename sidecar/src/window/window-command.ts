import { Lifetime } from '@devdb/shared/lifetime';
import type { Command, CommandContext } from '../cli/command.ts';
import { endInTime } from '../cli/end-in-time.ts';
import { openLog } from '../cli/open-log.ts';
import { openAdvertiser } from '../clients/advertise/open-advertiser.ts';
import { AnswerRoom } from '../dispatch/answer-room.ts';
import { Editor } from '../dispatch/editor.ts';
import { openPipe, type PipeHost } from '../doors/editor-pipe/editor-pipe.ts';
import { HeldBytes } from '../engines/held-bytes.ts';
import { VERSION } from '../host/version.ts';
import { openInstallation } from '../project/installation.ts';
import type { HomeLock } from '../registry/home-lock.ts';
import { agentAnswers } from './agent-answers.ts';
import { claudeAnswers } from './claude-answers.ts';
import { connectionAnswers } from './database-answers.ts';
import { windowAnswers } from './window-answers.ts';
import { WindowProjects } from './window-projects.ts';

/** The sidecar of an editor window: serves its folders for as long as the pipe on stdin and stdout is open. */
export const windowCommand: Command = {
  name: 'sidecar',
  usage: 'sidecar',
  summary: 'Serves the folders of an editor window over a pipe; the DevDB extension starts it.',
  help: [],
  options: {},
  hidden: true,
  runsFromCopy: true,
  run: (_values, _positionals, context) => serveWindow(context),
};

async function serveWindow(context: CommandContext): Promise<number> {
  const stop = new AbortController();
  const lifetime = new Lifetime();
  const log = lifetime.own(openLog(context), (it) => it.close()).log;
  const editor = new Editor();
  const held = new HeldBytes();
  const answers = new AnswerRoom();
  const { home, bundleDir } = context;
  const installation = openInstallation({ home, bundleDir, log, held, answers }, stop.signal);
  const advertiser = openAdvertiser({ installation, editor, env: context.env, signal: stop.signal });
  const projects = lifetime.own(
    new WindowProjects({
      installation,
      log,
      editor,
      advertiser,
      bundleDir,
      held,
      env: context.env,
      signal: stop.signal,
    }),
    (it) => it.end(),
  );
  const ended = Promise.withResolvers<void>();
  const end = () => {
    stop.abort();
    ended.resolve();
  };
  const host: PipeHost = {
    set: (wanted) => projects.set(wanted),
    gateOf: (root) => projects.find(root).gate,
    status: (signal) => projects.status(signal),
    end,
  };
  const peer = openPipe({
    input: process.stdin,
    output: process.stdout,
    version: VERSION,
    editor,
    host,
    room: answers,
    answers: [
      ...windowAnswers(context, projects, { log, held }),
      ...claudeAnswers(context),
      ...connectionAnswers(projects),
      ...agentAnswers(projects, installation),
    ],
    log: (event, facts) => log('error', event, facts),
    onClosed: end,
  });
  let lock: HomeLock | undefined;
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    lock = (await installation).lock;
    await ended.promise;
    return 0;
  } finally {
    await endInTime(lifetime, context, () => lock?.isWaitedFor === true);
    peer.close();
    // Otherwise an editor that keeps its end open would keep this process alive until the hard stop.
    process.stdin.destroy();
  }
}
