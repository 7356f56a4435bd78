import type { ProcessParts } from './cli/command.ts';
import type { HeadlessOptions, HeadlessSidecar } from './cli/serve.ts';
import { openAdvertiser } from './clients/advertise/open-advertiser.ts';
import { Activity } from './dispatch/activity/activity.ts';
import { AnswerRoom } from './dispatch/answer-room.ts';
import { Editor } from './dispatch/editor.ts';
import { openPipe } from './doors/editor-pipe/editor-pipe.ts';
import { HeldBytes } from './engines/held-bytes.ts';
import { VERSION } from './host/version.ts';
import { type Installation, openInstallation } from './project/installation.ts';
import { openProject } from './project/open-project.ts';
import { projectBook } from './project/project-book.ts';
import { isOn } from './project/tool-selection.ts';
import { firstPortOf } from './registry/claim-port.ts';
import { PersonResults } from './results/person-results.ts';
import { activityAnswers } from './window/activity-answers.ts';
import { agentAnswers } from './window/agent-answers.ts';
import { browseAnswers } from './window/browse-answers.ts';
import { claudeAnswers } from './window/claude-answers.ts';
import { connectionAnswers } from './window/database-answers.ts';
import { EarlierCalls } from './window/earlier-calls.ts';
import { historyAnswers } from './window/history-answers.ts';
import { QueryHistory } from './window/query-history.ts';
import { resultAnswers } from './window/result-answers.ts';
import { textAnswers } from './window/text-answers.ts';
import { windowAnswers } from './window/window-answers.ts';
import type { WindowSidecar } from './window/window-command.ts';
import { WindowProjects } from './window/window-projects.ts';

/** The sidecar of an editor's window: its folders as projects, and the pipe to the editor. */
export function composeWindow(parts: ProcessParts, end: () => void): WindowSidecar {
  const { context, lifetime, log, signal } = parts;
  const { bundleDir, env } = context;
  const editor = new Editor();
  const { installation, held, answers } = opened(parts);
  const advertiser = openAdvertiser({ installation, editor, env, signal });
  const activity = new Activity();
  // Closed after the projects, when every call has ended.
  const earlier = lifetime.own(new EarlierCalls({ activity, home: context.home, log }), (it) => it.save());
  const history = new QueryHistory({ home: context.home, log });
  const results = lifetime.own(
    new PersonResults({
      parent: context.home.results,
      driverDir: bundleDir,
      log: (event, facts) => log('warn', event, facts),
    }),
    (it) => it.end(),
  );
  const personSink = (name: string) => results.find(name);
  const projects = lifetime.own(
    new WindowProjects({
      installation,
      log,
      editor,
      advertiser,
      bundleDir,
      held,
      activity,
      personSink,
      env,
      signal,
    }),
    (it) => it.end(),
  );
  const pipe = openPipe({
    input: process.stdin,
    output: process.stdout,
    version: VERSION,
    editor,
    host: {
      set: (wanted) => projects.set(wanted),
      gateOf: (root) => projects.find(root).gate,
      status: (asking) => projects.status(asking),
      end,
    },
    room: answers,
    answers: [
      ...windowAnswers(context, projects, { log, held }),
      ...claudeAnswers(context),
      ...connectionAnswers(projects),
      ...agentAnswers(projects, installation),
      ...resultAnswers({ projects, results, editor, history }),
      ...textAnswers({ projects, bundleDir }),
      ...historyAnswers({ history, rootOf: (root) => projects.find(root).root }),
      ...activityAnswers({ activity, earlier, editor, projects }),
      ...browseAnswers({ editor, gateOf: (root) => projects.find(root).gate }),
    ],
    log: (event, facts) => log('error', event, facts),
    onClosed: end,
  });
  // Not before the home is there, and nothing waits for it.
  installation.then(
    () => results.removeLeft(),
    // Its failure ends the process, and is reported there.
    () => undefined,
  );
  return { installation, pipe };
}

/** The sidecar of `devdb serve`: one project, no editor. */
export function composeHeadless(parts: ProcessParts, options: HeadlessOptions): HeadlessSidecar {
  const { installation } = opened(parts);
  return { installation, open: async () => openHeadless(await installation, parts, options) };
}

async function openHeadless(
  installation: Installation,
  { context: { env }, lifetime, signal }: ProcessParts,
  { root, fixedPort, writes, trustsAll }: HeadlessOptions,
) {
  const book = projectBook(installation, root, env);
  if (trustsAll) await book.approve((await book.state(signal)).entries, 'for-run', signal);
  const advertiser = lifetime.own(openAdvertiser({ installation, env, signal }), (it) => it.hide(root));
  await advertiser.cover(root);
  const project = openProject(
    installation,
    {
      root,
      kind: 'headless',
      fixedPort,
      // No editor tools run here, so there is nothing to ask about.
      settings: { writes, approvals: 'deny', trusted: true },
      editor: undefined,
      connections: book,
      isOn: isOn({}),
    },
    signal,
  );
  return lifetime.own(await project, (it) => it.end());
}

/** What every sidecar begins with: the user's home, and the memory that all of its projects share. */
function opened({ context: { home, bundleDir, env }, log, signal }: ProcessParts) {
  const held = new HeldBytes();
  const answers = new AnswerRoom();
  return {
    installation: openInstallation({ home, firstPort: firstPortOf(env), bundleDir, log, held, answers }, signal),
    held,
    answers,
  };
}
