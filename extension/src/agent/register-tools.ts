import { errorText, toWire } from '@devdb/shared/errors';
import type { ToolFacts } from '@devdb/shared/tools/tool-facts';
import type * as vscode from 'vscode';
import type { SidecarClient, ToolAnswer, ToolCall } from '../sidecar/sidecar-client.ts';
import { type Confirmation, confirmationFor } from './confirmation.ts';

/** The editor's API for tools: their registration, and its form of answers. */
export interface LmHost {
  register(name: string, tool: vscode.LanguageModelTool<object>): vscode.Disposable;
  answer(text: string): vscode.LanguageModelToolResult;
  confirmation(confirmation: Confirmation): vscode.LanguageModelToolConfirmationMessages;
}

export interface LmOptions {
  readonly tools: readonly ToolFacts[];
  readonly host: LmHost;
  /** The sidecar, once it is there. */
  readonly client: (signal: AbortSignal) => Promise<Pick<SidecarClient, 'runTool'>>;
  readonly log: (line: string) => void;
}

type AgentCall = Pick<ToolCall, 'tool' | 'input' | 'confirmed'>;

const MAX_OPEN_CONFIRMATIONS = 100;

/** Offers tools to the editor's own agent. One that cannot be registered is logged; the others are still registered. */
export function registerLmTools(options: LmOptions): vscode.Disposable[] {
  return options.tools.flatMap((tool) => {
    try {
      return [options.host.register(`devdb_${tool.name}`, lmTool(tool, options))];
    } catch (error) {
      options.log(`The tool ${tool.name} could not be offered to the editor's agent: ${String(error)}`);
      return [];
    }
  });
}

function lmTool(tool: ToolFacts, { host, client }: LmOptions): vscode.LanguageModelTool<object> {
  const confirmed = new ConfirmedCalls();
  return {
    prepareInvocation: ({ input }) => {
      const confirmation = confirmationFor(tool, input);
      if (confirmation !== undefined) confirmed.add(input);
      return {
        invocationMessage: `DevDB: ${tool.title}`,
        ...(confirmation === undefined ? {} : { confirmationMessages: host.confirmation(confirmation) }),
      };
    },
    invoke: async ({ input }, token) =>
      host.answer(await runForModel({ tool: tool.name, input, confirmed: confirmed.take(input) }, token, client)),
  };
}

/** Calls the editor has already asked its user about, so that DevDB does not ask again. */
class ConfirmedCalls {
  readonly #inputs = new Set<string>();

  add(input: object): void {
    // Calls the user refuses are never taken out.
    if (this.#inputs.size >= MAX_OPEN_CONFIRMATIONS) this.#inputs.clear();
    this.#inputs.add(JSON.stringify(input));
  }

  /** Whether it was confirmed; counts once. */
  take(input: object): boolean {
    return this.#inputs.delete(JSON.stringify(input));
  }
}

/** The answer's text. An error is thrown with the same message as on the other doors. */
async function runForModel(
  call: AgentCall,
  token: vscode.CancellationToken,
  client: LmOptions['client'],
): Promise<string> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    const { ok, text } = await answerOf(call, controller.signal, client);
    if (ok) return text;
    throw new Error(text);
  } finally {
    listening.dispose();
  }
}

async function answerOf(call: AgentCall, signal: AbortSignal, client: LmOptions['client']): Promise<ToolAnswer> {
  try {
    return await (await client(signal)).runTool({ ...call, signal });
  } catch (error) {
    return { ok: false, text: errorText(toWire(error)) };
  }
}
