import { HEADERS } from '@devdb/shared/protocol';
import { agentServer } from '@devdb/shared/protocol/agent-methods';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import { VERSION } from '../host/version.ts';
import type { Installation } from '../project/installation.ts';
import type { WindowProjects } from './window-projects.ts';

/** Tells the editor where its own agent finds the MCP server. */
export function agentAnswers(
  projects: Pick<WindowProjects, 'find'>,
  installation: Promise<Pick<Installation, 'token'>>,
): readonly PipeAnswer[] {
  return [
    pipeAnswer(agentServer, async () => {
      const { root, port } = projects.find(undefined);
      const { token } = await installation;
      // Opened for the pipe alone: the editor sends it with each request of its agent and writes it nowhere.
      const headers = {
        authorization: `Bearer ${token.open()}`,
        [HEADERS.projectRoot]: encodeURIComponent(root),
      };
      return { url: `http://127.0.0.1:${port}/mcp`, version: VERSION, headers };
    }),
  ];
}
