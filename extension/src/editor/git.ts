import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { type ChangeType, typeOfStatus } from './git-status.ts';
import { COMMIT_PAGE, MAX_SEARCHED_COMMITS } from './limits.ts';
import { projectPath } from './paths.ts';

/** As much of the API of the editor's own git extension as is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): Repository | null;
}

interface Change {
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri | undefined;
  readonly status: number;
}

export interface Repository {
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly mergeChanges: readonly Change[];
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
  };
  status(): Promise<void>;
  log(options: { maxEntries: number; skip: number }): Promise<readonly { hash: string; message: string }[]>;
}

export interface ProjectChange {
  readonly path: string;
  readonly type: ChangeType;
  readonly staged: boolean;
}

/** The repository that the project's folder is in, as the editor has it. */
export async function repositoryOf(root: string, signal: AbortSignal): Promise<Repository> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) throw unavailable("The editor's Git extension is off.");
  const git = await extension.activate();
  if (!git.enabled) throw unavailable('Git is switched off (git.enabled), or not installed.');
  const api = git.getAPI(1);
  await initialised(api, signal);
  const found = api.getRepository(vscode.Uri.file(inEditor(root).path));
  if (found === null) throw unavailable('The editor has no Git repository open for this project.');
  return found;
}

/** The files of the project that differ from the last commit. */
export async function changesIn(repository: Repository, root: string): Promise<readonly ProjectChange[]> {
  await repository.status();
  const { mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  return [
    ...mergeChanges.map((change) => ({ change, staged: false })),
    ...indexChanges.map((change) => ({ change, staged: true })),
    ...[...workingTreeChanges, ...untrackedChanges].map((change) => ({ change, staged: false })),
  ].flatMap(({ change: { uri, renameUri, status }, staged }) => {
    const path = pathInProject(root, (renameUri ?? uri).fsPath);
    const type = typeOfStatus(status);
    return path === undefined || type === undefined ? [] : [{ path, type, staged }];
  });
}

/** What a search of the history found, and how far it looked. */
export interface FoundCommits {
  readonly commits: readonly string[];
  /** How many commits were looked at; the rest was not. */
  readonly cutAfter?: number;
}

/** Commits whose message has the text in it, newest first, one more than the limit where there are more. */
export async function commitsWith(
  repository: Repository,
  text: string,
  limit: number,
  signal: AbortSignal,
): Promise<FoundCommits> {
  const wanted = text.toLowerCase();
  const commits: string[] = [];
  if (repository.state.HEAD?.commit === undefined) return { commits };
  for (let skip = 0; skip < MAX_SEARCHED_COMMITS; skip += COMMIT_PAGE) {
    signal.throwIfAborted();
    const page = await repository.log({ maxEntries: COMMIT_PAGE, skip });
    for (const { hash, message } of page) if (message.toLowerCase().includes(wanted)) commits.push(hash);
    if (page.length < COMMIT_PAGE || commits.length > limit) return { commits };
  }
  return { commits, cutAfter: MAX_SEARCHED_COMMITS };
}

function pathInProject(root: string, file: string): string | undefined {
  try {
    return projectPath(root, file).relative;
  } catch (error) {
    // The repository is larger than the project.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function initialised(api: GitApi, signal: AbortSignal): Promise<void> {
  if (api.state === 'initialized') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      changing.dispose();
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onAbort = () => end(() => reject(new AppError('E_CANCELLED', 'The call was ended.')));
    const changing = api.onDidChangeState(() => {
      if (api.state === 'initialized') end(resolve);
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function unavailable(message: string): AppError {
  return new AppError('E_GIT_UNAVAILABLE', message, {
    hint: 'The user can open the repository in the Source Control view; run git yourself meanwhile.',
  });
}
