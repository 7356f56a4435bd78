import { envelopeText, errorText } from '@devdb/shared/envelope';
import { AppError, toWire } from '@devdb/shared/errors';
import type { ToolDefinition } from '@devdb/shared/tools';
import * as vscode from 'vscode';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';

export interface LmOptions {
  readonly tools: readonly ToolDefinition[];
  /** The sidecar, once it is there. */
  readonly client: (signal: AbortSignal) => Promise<SidecarClient>;
  readonly log: (line: string) => void;
}

/** Offers every tool to the editor's own agent. One that cannot be registered is logged and the others go on. */
export function registerLmTools({ tools, client, log }: LmOptions): vscode.Disposable[] {
  // An editor without language models (VSCodium, older ones) has no such member at all.
  if (!('lm' in vscode) || typeof vscode.lm?.registerTool !== 'function') {
    log('This editor has no language model tools; agents reach DevDB over MCP.');
    return [];
  }
  return tools.flatMap((tool) => {
    try {
      return [vscode.lm.registerTool(`devdb_${tool.name}`, lmTool(tool, client))];
    } catch (error) {
      log(`The tool ${tool.name} could not be offered to the editor's agent: ${String(error)}`);
      return [];
    }
  });
}

function lmTool(tool: ToolDefinition, client: LmOptions['client']): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation: () => ({ invocationMessage: `DevDB: ${tool.title}` }),
    invoke: async ({ input }, token) => {
      const text = await runForModel(tool, input, token, client);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

async function runForModel(
  tool: ToolDefinition,
  input: object,
  token: vscode.CancellationToken,
  client: LmOptions['client'],
): Promise<string> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    const { signal } = controller;
    const envelope = await (await client(signal)).runTool({ tool: tool.name, input, signal });
    const text = envelopeText(envelope, tool.text);
    if (envelope.ok) return text;
    throw new Error(text);
  } catch (error) {
    throw error instanceof AppError ? new Error(errorText(toWire(error))) : error;
  } finally {
    listening.dispose();
  }
}
