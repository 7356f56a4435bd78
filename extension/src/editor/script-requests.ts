import { stoppedBy } from '@devdb/shared/abort';
import * as vscode from 'vscode';
import * as z from 'zod';
import { untilEnded } from './waiting.ts';

const COMMAND = 'typescript.tsserverRequest';
const SCRIPTS = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];

type Request = 'syntacticDiagnosticsSync' | 'semanticDiagnosticsSync';

const answerSchema = z.object({ type: z.literal('response'), success: z.literal(true), body: z.unknown() });

export function isScript({ languageId, uri }: vscode.TextDocument): boolean {
  return SCRIPTS.includes(languageId) && uri.scheme === 'file';
}

/**
 * What the language server of TypeScript and JavaScript answers about a file. It answers in its turn: when it has started,
 * has read the file's project and knows every edit that was made before. A file that is not open is named by its path, and
 * known if its project is loaded. Undefined where the server cannot be asked.
 */
export async function askScriptServer(
  request: Request,
  file: vscode.Uri | string,
  signal: AbortSignal,
): Promise<unknown> {
  const source = new vscode.CancellationTokenSource();
  const args = { file, includeLinePosition: true };
  const ask = () =>
    untilEnded(vscode.commands.executeCommand<unknown>(COMMAND, request, args, undefined, source.token), signal);
  try {
    return answerSchema.safeParse(await stoppedBy(signal, () => source.cancel(), ask)).data?.body;
  } catch (error) {
    signal.throwIfAborted();
    // An editor whose TypeScript has no such command, or a server that crashed: the caller has other ways to ask.
    if (error instanceof Error) return undefined;
    throw error;
  } finally {
    source.dispose();
  }
}
