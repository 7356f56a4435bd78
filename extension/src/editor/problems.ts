import * as vscode from 'vscode';
import * as z from 'zod';
import { askScriptServer, isScript } from './script-requests.ts';

const placeSchema = z.object({ line: z.int(), offset: z.int() });
const problemSchema = z.object({
  message: z.string(),
  category: z.string(),
  code: z.int(),
  startLocation: placeSchema,
  endLocation: placeSchema,
});
const problemsSchema = z.array(problemSchema);

const SEVERITIES: Readonly<Record<string, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  suggestion: vscode.DiagnosticSeverity.Hint,
};
/** What the server of scripts itself signs with. */
const SCRIPT_SOURCES = ['ts', 'js', 'typescript', 'javascript'];

/**
 * The problems of a script as its language server sees it now, with what others say of it. The editor itself knows them
 * only of files in its tabs. Undefined where the server does not know the file.
 */
export async function scriptProblems(
  uri: vscode.Uri,
  signal: AbortSignal,
): Promise<readonly vscode.Diagnostic[] | undefined> {
  const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
  const file = isOpen ? uri : uri.fsPath;
  const answers = [];
  for (const request of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'] as const) {
    const answer = problemsSchema.safeParse(await askScriptServer(request, file, signal));
    if (!answer.success) return undefined;
    answers.push(...answer.data);
  }
  const others = vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === undefined || !SCRIPT_SOURCES.includes(source));
  return [...answers.map(diagnosticOf), ...others];
}

function diagnosticOf({ message, category, code, startLocation, endLocation }: z.output<typeof problemSchema>) {
  const severity = SEVERITIES[category] ?? vscode.DiagnosticSeverity.Information;
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(startLocation.line - 1, startLocation.offset - 1, endLocation.line - 1, endLocation.offset - 1),
    message,
    severity,
  );
  diagnostic.code = code;
  diagnostic.source = 'ts';
  return diagnostic;
}

/**
 * Lets those who offer fixes see the problems of a file that is in no tab, for as long as the work takes: they look at
 * what the editor knows.
 */
export async function withKnownProblems<T>(
  document: vscode.TextDocument,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (!isScript(document) || vscode.languages.getDiagnostics(document.uri).length > 0) return work();
  const problems = (await scriptProblems(document.uri, signal)) ?? [];
  if (problems.length === 0) return work();
  const collection = vscode.languages.createDiagnosticCollection('devdb-code-actions');
  try {
    collection.set(document.uri, problems);
    return await work();
  } finally {
    collection.dispose();
  }
}
