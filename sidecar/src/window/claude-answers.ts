import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { claudeUserScope, setUpClaude, type UserScope } from '@devdb/shared/protocol/advertise-methods';
import { userScopeOf } from '../clients/advertise/claude-config.ts';
import { runningNode } from '../clients/advertise/open-advertiser.ts';
import { claudeOnPath } from '../clients/setup/claude-cli.ts';
import { clientFile, type Machine } from '../clients/setup/clients.ts';
import { setup } from '../clients/setup/configuration.ts';
import { fitNode } from '../clients/setup/fit-node.ts';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import type { Home } from '../host/home.ts';

export interface ClaudeAnswersParts {
  readonly home: Pick<Home, 'launcher'>;
  readonly env: Machine['env'];
}

/** The editor's requests about Claude Code's user-wide configuration. */
export function claudeAnswers({ home, env }: ClaudeAnswersParts): readonly PipeAnswer[] {
  const machine = { platform: process.platform, userHome: homedir(), env };
  return [
    pipeAnswer(claudeUserScope, async (_params, signal) => ({ state: await userScope(machine, signal) })),
    pipeAnswer(setUpClaude, async (_params, signal) => enter(machine, home.launcher, signal)),
  ];
}

async function userScope(machine: Machine, signal: AbortSignal): Promise<UserScope> {
  const { path } = clientFile('claude', machine);
  const isThere = existsSync(path) || existsSync(join(dirname(path), '.claude')) || claudeOnPath(machine) !== undefined;
  return isThere ? userScopeOf(path, signal) : 'no-claude';
}

async function enter(machine: Machine, launcher: string, signal: AbortSignal) {
  const { path } = clientFile('claude', machine);
  if ((await userScopeOf(path, signal)) === 'other') {
    const message = `Claude Code has a server "devdb" for all projects that is not DevDB's (${path}); it was left unchanged. To replace it, run first: claude mcp remove --scope user devdb`;
    return { done: false, message };
  }
  const node = await fitNode(machine.env, runningNode(), signal);
  const outcome = await setup({ ...machine, client: 'claude', write: true, launcher, node, signal });
  const done = outcome.exitCode === 0;
  return { done, message: (done ? outcome.stdout : outcome.stderr).trim() };
}
