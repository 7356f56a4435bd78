import { sep } from 'node:path';
import { untilAborted } from '@devdb/shared/abort';
import * as vscode from 'vscode';
import { RELATIVE_PATH, referenceTo } from './references.ts';

/**
 * After a rename, a language server makes its edits at a time of its own. When there are none for this long, it is
 * done.
 */
const QUIET_MS = 3_000;
const LONGEST_MS = 10_000;
/** A server that takes longer for a small question was busy, and its edits come now. */
const IDLE_ANSWER_MS = 500;

/** What a rename moves, in the editor's spelling. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** The outcome for the documents that were changed. */
export interface EditOutcome {
  readonly changed: readonly string[];
  readonly saved: readonly string[];
  readonly unsaved: readonly string[];
}

/**
 * Collects the documents in which references to a moved file are changed, and waits until there are no more. The user's
 * own typing meanwhile is not touched.
 */
export class FollowingEdits {
  readonly #move: Move;
  readonly #reference: RegExp;
  readonly #documents = new Map<string, vscode.TextDocument>();
  readonly #unsavedBefore: ReadonlySet<string>;
  readonly #listening: vscode.Disposable;
  #onEdit: () => void = () => undefined;

  constructor(move: Move) {
    this.#move = move;
    this.#reference = referenceTo(move.to);
    const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty);
    this.#unsavedBefore = new Set(dirty.flatMap(({ uri }) => [uri.fsPath, moved(uri.fsPath, move)]));
    this.#listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.scheme !== 'file' || !contentChanges.some((change) => this.#follows(document, change))) return;
      this.#documents.set(document.uri.toString(), document);
      this.#onEdit();
    });
  }

  /** Resolves when the edits have settled. `askServer` resolves when the language server has done its work. */
  async settled(askServer: () => Promise<unknown>): Promise<void> {
    const longest = AbortSignal.timeout(LONGEST_MS);
    while (!longest.aborted) {
      await this.#quiet(longest);
      const asked = performance.now();
      await untilAborted(askServer(), longest);
      if (performance.now() - asked < IDLE_ANSWER_MS) return;
    }
  }

  /** Saves what was changed. A document with the user's own unsaved changes is left unsaved. */
  async save(): Promise<EditOutcome> {
    const saved: string[] = [];
    const unsaved: string[] = [];
    for (const document of this.#documents.values()) {
      const { fsPath } = document.uri;
      const isTheirs = this.#unsavedBefore.has(fsPath);
      const isSaved = !document.isDirty || (!isTheirs && (await document.save()));
      (isSaved ? saved : unsaved).push(fsPath);
    }
    return { changed: [...saved, ...unsaved], saved, unsaved };
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** The editor reports only the difference; whether it is about the move shows in its lines. */
  #follows(document: vscode.TextDocument, { range, text }: vscode.TextDocumentContentChangeEvent): boolean {
    const { fsPath } = document.uri;
    const isInside = isBelow(fsPath, this.#move.from) || isBelow(fsPath, this.#move.to);
    const pattern = isInside ? RELATIVE_PATH : this.#reference;
    const last = Math.min(range.start.line + text.split('\n').length, document.lineCount) - 1;
    for (let line = range.start.line; line <= last; line += 1) {
      if (pattern.test(document.lineAt(line).text)) return true;
    }
    return false;
  }

  #quiet(longest: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(quiet);
        longest.removeEventListener('abort', done);
        this.#onEdit = () => undefined;
        resolve();
      };
      let quiet = setTimeout(done, QUIET_MS);
      longest.addEventListener('abort', done, { once: true });
      this.#onEdit = () => {
        clearTimeout(quiet);
        quiet = setTimeout(done, QUIET_MS);
      };
    });
  }
}

function moved(path: string, { from, to }: Move): string {
  return isBelow(path, from) ? `${to}${path.slice(from.length)}` : path;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
