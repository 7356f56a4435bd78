import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { existing, existingFile, freshDocument, freshText } from './fresh-documents.ts';
import { outlineWhenReady } from './language-server.ts';
import { catchUp, scriptsByAge } from './outside-edits.ts';
import { shownPath } from './paths.ts';
import { scriptProblems } from './problems.ts';
import { isScript } from './script-requests.ts';
import { nextEvent, type Waiting } from './waiting.ts';

/** Less than the tool's own time: what is known by then is answered. */
const CHECK_MS = 20_000;
/** Language servers check some time after an edit; they are done when they have said nothing for so long. */
const QUIET_MS = 1_500;

export interface Problem {
  readonly file: string;
  readonly diagnostic: vscode.Diagnostic;
}

export interface Collected {
  readonly problems: readonly Problem[];
  readonly checked: number;
  readonly unchecked: number;
}

/** The problems of a file, of a folder, or of the project without a path. */
export async function collectProblems(root: string, path: string | undefined, waiting: Waiting): Promise<Collected> {
  if (path === undefined || isRoot(root, path)) return ofFolder(root, root, waiting);
  const place = await existing(root, path);
  if (place.status.isDirectory()) return ofFolder(root, place.absolute, waiting);
  return ofFile(root, (await existingFile(root, path)).absolute, waiting);
}

function isRoot(root: string, path: string): boolean {
  return path === root || path === '.' || path === './' || path === '/';
}

async function ofFile(root: string, path: string, waiting: Waiting): Promise<Collected> {
  const { signal } = waiting;
  const document = await freshDocument(path, signal);
  const { uri } = document;
  if (isScript(document)) {
    await outlineWhenReady(document, waiting);
    await catchUp(root, signal);
    const problems = await scriptProblems(uri, signal);
    if (problems !== undefined) return { problems: named(root, uri, problems), checked: 1, unchecked: 0 };
  }
  const isKnown = await isChecked(document, waiting);
  const problems = named(root, uri, vscode.languages.getDiagnostics(uri));
  return { problems, checked: isKnown ? 1 : 0, unchecked: isKnown ? 0 : 1 };
}

/** Waits until the language server has said what it has to say. Some say nothing of files that are in no tab. */
async function isChecked(document: vscode.TextDocument, waiting: Waiting): Promise<boolean> {
  try {
    await outlineWhenReady(document, waiting);
  } catch (error) {
    if (error instanceof AppError && error.code === 'E_NO_PROVIDER') return false;
    throw error;
  }
  const isAbout = ({ uris }: vscode.DiagnosticChangeEvent) =>
    uris.some((uri) => uri.toString() === document.uri.toString());
  let isSeen = vscode.languages.getDiagnostics(document.uri).length > 0;
  while (await nextEvent(vscode.languages.onDidChangeDiagnostics, isAbout, QUIET_MS, waiting.signal)) isSeen = true;
  return isSeen || isInTab(document.uri);
}

function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}

/** The newest files first: those are what was changed. */
async function ofFolder(root: string, folder: string, waiting: Waiting): Promise<Collected> {
  const { signal, progress } = waiting;
  const until = performance.now() + CHECK_MS;
  const scripts = await scriptsByAge(root, folder, signal);
  const [newest] = scripts;
  const document = newest && (await freshText(newest.path, signal));
  if (document !== undefined) await outlineWhenReady(document, waiting);
  await catchUp(root, signal);
  const problems: Problem[] = [];
  let checked = 0;
  for (const { path } of scripts) {
    if (performance.now() > until) break;
    const uri = vscode.Uri.file(path);
    const found = (await scriptProblems(uri, signal)) ?? (await afterOpening(uri, signal));
    problems.push(...named(root, uri, found));
    checked += 1;
    if (checked % 50 === 0) progress({ progress: checked, message: `${checked} of ${scripts.length} files checked.` });
  }
  const others = othersIn(folder, new Set(scripts.map(({ path }) => path)));
  problems.push(...others.flatMap(([uri, found]) => named(root, uri, found)));
  return { problems, checked: checked + others.length, unchecked: scripts.length - checked };
}

/** A file of a project that is not loaded yet: opening it loads that. */
async function afterOpening(uri: vscode.Uri, signal: AbortSignal): Promise<readonly vscode.Diagnostic[]> {
  await freshText(uri.fsPath, signal);
  return (await scriptProblems(uri, signal)) ?? vscode.languages.getDiagnostics(uri);
}

/** What the editor knows of files in other languages. */
function othersIn(folder: string, scripts: ReadonlySet<string>) {
  const start = `${inEditor(folder).path}/`;
  return vscode.languages
    .getDiagnostics()
    .filter(([{ scheme, fsPath }]) => scheme === 'file' && fsPath.startsWith(start) && !scripts.has(fsPath))
    .filter(([{ fsPath }, found]) => found.length > 0 && !fsPath.includes('/node_modules/'));
}

function named(root: string, uri: vscode.Uri, found: readonly vscode.Diagnostic[]): readonly Problem[] {
  const file = shownPath(root, uri.fsPath);
  return found.map((diagnostic) => ({ file, diagnostic }));
}
