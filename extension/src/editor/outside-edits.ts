import { sep } from 'node:path';
import * as vscode from 'vscode';
import { inEditor } from './folders.ts';
import { freshText, hasCaughtUp } from './fresh-documents.ts';
import { forgetRemoved } from './removed-files.ts';
import { type FileAge, ScriptTree } from './script-tree.ts';
import { untilEnded } from './waiting.ts';

/** Watchers of files tell within this time, also on a busy machine. What is older is known to everybody. */
const RECENT_MS = 15_000;
/** So many files of a change of many: the servers hear of the rest from their watchers. */
const MAX_READ_AGAIN = 60;
const SCRIPT_EXTENSION = 'vscode.typescript-language-features';
const RELOAD = 'typescript.reloadProjects';

/** When the tree of a folder was last brought up to date, so that each change is caught up with once. */
const caughtUp = new Map<string, number>();
/** The scripts of each folder, as last seen. */
const trees = new Map<string, ScriptTree>();

/**
 * Brings the editor up to what was changed on the disk a moment ago, by an agent for one: documents are read again, and
 * the language server of scripts looks at files that came, went or were never open.
 */
export async function catchUp(root: string, signal: AbortSignal): Promise<void> {
  const began = Date.now();
  const since = Math.max(began - RECENT_MS, caughtUp.get(root) ?? 0);
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === 'file') await hasCaughtUp(document, 'other', signal);
  }
  const isGone = await forgetRemoved(signal);
  const { files, folders } = await changedSince(root, since, signal);
  for (const file of files.slice(0, MAX_READ_AGAIN)) await freshText(file, signal);
  if (isGone || folders || files.length > MAX_READ_AGAIN) await reloadScripts(signal);
  // A file that changes while this runs is new for the next call too; clocks of disks are coarse.
  caughtUp.set(root, began - 50);
}

/** Scripts of a folder of the project with their times, newest first. */
export async function scriptsByAge(root: string, folder: string, signal: AbortSignal): Promise<readonly FileAge[]> {
  const start = inEditor(folder).path;
  const { files } = await treeOf(root).look(signal);
  return files
    .filter(({ path }) => path.startsWith(`${start}${sep}`))
    .sort((one, other) => other.changedAt - one.changedAt);
}

async function changedSince(root: string, since: number, signal: AbortSignal) {
  const { files, folders } = await treeOf(root).look(signal);
  const changed = files.filter(({ changedAt }) => changedAt >= since);
  return {
    files: changed.sort((one, other) => other.changedAt - one.changedAt).map(({ path }) => path),
    folders: files.length > 0 && folders.some(({ changedAt }) => changedAt >= since),
  };
}

function treeOf(root: string): ScriptTree {
  const known = trees.get(root) ?? new ScriptTree(inEditor(root).path);
  trees.set(root, known);
  return known;
}

/** A server that has not started yet reads everything when it does. */
async function reloadScripts(signal: AbortSignal): Promise<void> {
  if (vscode.extensions.getExtension(SCRIPT_EXTENSION)?.isActive !== true) return;
  await untilEnded(vscode.commands.executeCommand(RELOAD), signal);
}
