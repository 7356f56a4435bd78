import * as vscode from 'vscode';
import type { Supervisor } from '../sidecar/supervisor.ts';
import { vscodeAgent, windowProjects } from '../window/settings.ts';
import { AgentAccess, type AgentWishes } from './agent-access.ts';
import { registerMcpProvider } from './mcp-provider.ts';
import { type LmHost, registerLmTools } from './register-tools.ts';
import { TOOL_FACTS } from './tool-facts.ts';

/** Gives the editor's own agent the tools that the settings allow. */
export function offerToAgent(
  supervisor: Supervisor,
  onServerChanged: vscode.Event<void>,
  log: (line: string) => void,
): AgentAccess {
  const host = lmHost();
  if (host === undefined) log('This editor has no language model tools; agents reach DevDB over MCP.');
  const client = (signal: AbortSignal) => supervisor.ready(signal);
  return new AgentAccess({
    wishes,
    tools: TOOL_FACTS,
    registerTools: (tools) => (host === undefined ? [] : registerLmTools({ tools, host, client, log })),
    registerServer: () => registerMcpProvider(supervisor, onServerChanged, log),
    tellOff: (tool, off) => void vscode.commands.executeCommand('setContext', `devdb.off.${tool}`, off),
  });
}

function wishes(): AgentWishes {
  return { agent: vscodeAgent(), trusted: vscode.workspace.isTrusted, selection: windowProjects()[0]?.settings };
}

/** An editor without language models (VSCodium, older ones) lacks this member altogether. */
function lmHost(): LmHost | undefined {
  if (!('lm' in vscode) || typeof vscode.lm?.registerTool !== 'function') return undefined;
  return {
    register: (name, tool) => vscode.lm.registerTool(name, tool),
    answer: (text) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]),
    confirmation: ({ title, message }) => ({ title, message: new vscode.MarkdownString(message) }),
  };
}
