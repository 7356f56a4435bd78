import * as vscode from 'vscode';
import type { Language } from './language.ts';
import { LANGUAGE_IDS } from './strings/language-ids.ts';
import { TABLE_SCHEME } from './table-scheme.ts';

export interface LanguageParts {
  /** Loaded when it is first asked for. */
  readonly language: () => Promise<Language>;
  readonly isRunning: () => boolean;
}

const SQL = { language: 'sql' };
const PROGRAMS = LANGUAGE_IDS.map((language) => ({ language, scheme: 'file' }));

/** Lenses, words, explanations, definitions and formatting of .sql files, and of the statements in programs. */
export function registerLanguage({ language, isRunning }: LanguageParts): vscode.Disposable[] {
  const changed = new vscode.EventEmitter<void>();
  const { languages, workspace } = vscode;
  const mayLook = async (document: vscode.TextDocument, position: vscode.Position) =>
    workspace.isTrusted && isRunning() && (await isInStatement(document, position));
  return [
    changed,
    languages.registerCodeLensProvider(SQL, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) => (await language()).lenses(document, () => changed.fire()),
    }),
    languages.registerCompletionItemProvider(
      SQL,
      { provideCompletionItems: async (document, position) => (await language()).completions(document, position) },
      '.',
    ),
    languages.registerHoverProvider([SQL, ...PROGRAMS], {
      provideHover: async (document, position) =>
        (await mayLook(document, position)) ? (await language()).hover(document, position) : undefined,
    }),
    languages.registerDefinitionProvider([SQL, ...PROGRAMS], {
      provideDefinition: async (document, position) =>
        (await mayLook(document, position)) ? (await language()).definition(document, position) : undefined,
    }),
    languages.registerDocumentFormattingEditProvider(SQL, {
      provideDocumentFormattingEdits: (document, options, token) =>
        whileWanted(token, async (signal) => (await language()).format(document, undefined, options, signal)),
    }),
    languages.registerDocumentRangeFormattingEditProvider(SQL, {
      provideDocumentRangeFormattingEdits: (document, range, options, token) =>
        whileWanted(token, async (signal) => (await language()).format(document, range, options, signal)),
    }),
    workspace.registerTextDocumentContentProvider(TABLE_SCHEME, {
      provideTextDocumentContent: async (uri) => (await language()).tableText(uri),
    }),
  ];
}

/** Checked first, so that a look at any other word waits for nothing. */
async function isInStatement(document: vscode.TextDocument, position: vscode.Position): Promise<boolean> {
  if (document.languageId === SQL.language) return true;
  const { sqlStringAt } = await import('./strings/sql-string.ts');
  return sqlStringAt(document.languageId, document.getText(), document.offsetAt(position)) !== undefined;
}

async function whileWanted<T>(token: vscode.CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    listening.dispose();
  }
}
