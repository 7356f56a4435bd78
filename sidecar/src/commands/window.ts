import { Lifetime } from '@devdb/shared/lifetime';
import type { ProjectSettings } from '@devdb/shared/protocol/handshake';
import { openPipe } from '../doors/rpc.ts';
import { Editor } from '../editor.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { type OpenedProject, openProject } from '../open-project.ts';
import { projectBook } from '../project-book.ts';
import { canonicalRoot } from '../registry/project-root.ts';
import { isOn } from '../tool-selection.ts';
import { VERSION } from '../version.ts';
import type { Command, CommandContext } from './command.ts';
import { endInTime } from './end-in-time.ts';
import { openLog } from './open-log.ts';

/** The sidecar of an editor's window: serves its folders for as long as the pipe on stdin and stdout is open. */
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
  const installation = openInstallation({ home: context.home, bundleDir: context.bundleDir, log }, stop.signal);
  const ended = Promise.withResolvers<void>();
  const end = () => {
    stop.abort();
    ended.resolve();
  };
  const peer = openPipe({
    input: process.stdin,
    output: process.stdout,
    version: VERSION,
    editor,
    host: {
      open: async (projects) =>
        openAll(await installation, projects, { editor, lifetime, env: context.env, signal: stop.signal }),
      end,
    },
    log: (event, facts) => log('error', event, facts),
    onClosed: end,
  });
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    await installation;
    await ended.promise;
    return 0;
  } finally {
    await endInTime(lifetime, context);
    peer.close();
  }
}

interface OpenParts {
  readonly editor: Editor;
  readonly lifetime: Lifetime;
  readonly env: CommandContext['env'];
  readonly signal: AbortSignal;
}

/** One after the other: the first folder of a window has the first choice of ports. */
async function openAll(
  installation: Installation,
  projects: readonly { readonly root: string; readonly settings: ProjectSettings }[],
  { editor, lifetime, env, signal }: OpenParts,
): Promise<OpenedProject[]> {
  const opened: OpenedProject[] = [];
  for (const { root: given, settings } of projects) {
    const found = canonicalRoot(given);
    if (!found.ok) {
      installation.log('warn', 'folder-skipped', { root: given, why: found.why });
      continue;
    }
    const { root } = found;
    const connections = projectBook(installation, root, env);
    const options = { root, kind: 'window', fixedPort: settings.fixedPort, settings, editor, connections } as const;
    opened.push(
      lifetime.own(await openProject(installation, { ...options, isOn: isOn(settings) }, signal), (project) =>
        project.end(),
      ),
    );
  }
  return opened;
}
