import { homedir } from 'node:os';
import { AppError } from '@devdb/shared/errors';
import { doctorText } from '@devdb/shared/protocol/doctor-method';
import { setupText } from '@devdb/shared/protocol/sidecar-methods';
import type { CommandContext } from '../cli/command.ts';
import { type DoctorParts, doctorOf } from '../cli/doctor-command.ts';
import { renderDoctor } from '../cli/doctor-text.ts';
import { setup } from '../clients/setup/configuration.ts';
import { fitNode } from '../clients/setup/fit-node.ts';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import type { WindowProjects } from './window-projects.ts';

/** The editor's requests other than tools: the texts that the CLI commands of the same names print. */
export function windowAnswers(
  context: CommandContext,
  projects: WindowProjects,
  parts: Pick<DoctorParts, 'log' | 'held'>,
): readonly PipeAnswer[] {
  const { home, bundleDir, env } = context;
  return [
    pipeAnswer(setupText, async ({ client }, signal) => {
      const running = { execPath: process.execPath, isElectron: process.versions['electron'] !== undefined };
      const node = await fitNode(env, running, signal);
      const { platform } = process;
      const machine = { platform, userHome: homedir(), env };
      const { stdout } = await setup({ ...machine, client, write: false, launcher: home.launcher, node, signal });
      return { text: stdout };
    }),
    pipeAnswer(doctorText, async ({ root }, signal) => {
      const projectRoot = projects.find(root).root;
      const book = projects.bookOf(projectRoot);
      if (book === undefined) throw new AppError('E_PROJECT_NOT_OPEN', `${projectRoot} is not open in this window.`);
      const { report } = await doctorOf({ projectRoot, home, bundleDir, book, ...parts }, signal);
      const { suggestion } = report;
      const text = renderDoctor(report, { color: false });
      return { text, suggestion: suggestion && { ...suggestion.from, connection: suggestion.connection } };
    }),
  ];
}
