import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { freshText, upToDate } from './fresh-documents.ts';
import { forgetRemoved } from './removed-files.ts';
import { untilEnded } from './waiting.ts';

/** Watchers of files tell within this time, also on a busy machine. What is older is known to everybody. */
const RECENT_MS = 15_000;
/** So many files of a change of many: the servers hear of the rest from their watchers. */
const MAX_READ_AGAIN = 60;
const MAX_FILES = 5_000;
const SCRIPTS = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
const SCRIPT_EXTENSION = 'vscode.typescript-language-features';
const RELOAD = 'typescript.reloadProjects';

/** When the tree of a folder was last brought up to date, so that each change is caught up with once. */
const caughtUp = new Map<string, number>();

/**
 * Brings the editor up to what was changed on the disk a moment ago, by an agent for one: documents are read again, and
 * the language server of scripts looks at files that came, went or were never open.
 */
export async function catchUp(root: string, signal: AbortSignal): Promise<void> {
  const began = Date.now();
  const since = Math.max(began - RECENT_MS, caughtUp.get(root) ?? 0);
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === 'file') await upToDate(document, signal);
  }
  const isGone = await forgetRemoved(signal);
  const { files, folders } = await changedSince(root, since, signal);
  for (const file of files.slice(0, MAX_READ_AGAIN)) await freshText(file, signal);
  if (isGone || folders || files.length > MAX_READ_AGAIN) await reloadScripts(signal);
  // A file that changes while this runs is new for the next call too; clocks of disks are coarse.
  caughtUp.set(root, began - 50);
}

/** Scripts of the folder with their times, newest first. */
export async function scriptsByAge(folder: string, signal: AbortSignal): Promise<readonly FileAge[]> {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(inEditor(folder).path), SCRIPTS);
  const found = await untilEnded(vscode.workspace.findFiles(pattern, '**/node_modules/**', MAX_FILES), signal);
  const aged = await Promise.all(found.map(({ fsPath }) => ageOf(fsPath)));
  return aged.flat().sort((one, other) => other.changedAt - one.changedAt);
}

export interface FileAge {
  readonly path: string;
  readonly changedAt: number;
}

async function changedSince(root: string, since: number, signal: AbortSignal) {
  const scripts = await scriptsByAge(root, signal);
  const folders = [...new Set(scripts.map(({ path }) => dirname(path)))];
  const aged = (await Promise.all([root, ...folders].map(ageOf))).flat();
  return {
    files: scripts.filter(({ changedAt }) => changedAt >= since).map(({ path }) => path),
    folders: scripts.length > 0 && aged.some(({ changedAt }) => changedAt >= since),
  };
}

async function ageOf(path: string): Promise<FileAge[]> {
  try {
    const { mtimeMs, ctimeMs } = await stat(path);
    // A file that was moved here keeps the time of its text.
    return [{ path, changedAt: Math.max(mtimeMs, ctimeMs) }];
  } catch {
    // Gone since it was found.
    return [];
  }
}

/** A server that has not started yet reads everything when it does. */
async function reloadScripts(signal: AbortSignal): Promise<void> {
  if (vscode.extensions.getExtension(SCRIPT_EXTENSION)?.isActive !== true) return;
  await untilEnded(vscode.commands.executeCommand(RELOAD), signal);
}
