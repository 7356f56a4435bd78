import * as vscode from 'vscode';

/** A language server edits after a rename was applied, at a time of its own. It is quiet when it is done. */
const QUIET_MS = 3_000;
const LONGEST_MS = 10_000;

/** Collects the documents that are changed while a refactoring runs, and waits until no more are. */
export class FollowingEdits {
  readonly #documents = new Map<string, vscode.TextDocument>();
  readonly #unsavedBefore: ReadonlySet<string>;
  readonly #listening: vscode.Disposable;
  #onEdit: () => void = () => undefined;

  constructor() {
    const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty);
    this.#unsavedBefore = new Set(dirty.map(({ uri }) => uri.toString()));
    this.#listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || document.uri.scheme !== 'file') return;
      this.#documents.set(document.uri.toString(), document);
      this.#onEdit();
    });
  }

  /** Resolves when the edits have settled. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(quiet);
        clearTimeout(longest);
        resolve();
      };
      let quiet = setTimeout(done, QUIET_MS);
      const longest = setTimeout(done, LONGEST_MS);
      this.#onEdit = () => {
        clearTimeout(quiet);
        quiet = setTimeout(done, QUIET_MS);
      };
    });
  }

  /** Saves what was changed. A document that the user had not saved before keeps waiting for them. */
  async save(): Promise<{ readonly changed: readonly string[]; readonly unsaved: readonly string[] }> {
    const unsaved: string[] = [];
    for (const document of this.#documents.values()) {
      if (!document.isDirty) continue;
      const isTheirs = this.#unsavedBefore.has(document.uri.toString());
      if (isTheirs || !(await document.save())) unsaved.push(document.uri.fsPath);
    }
    return { changed: [...this.#documents.values()].map(({ uri }) => uri.fsPath), unsaved };
  }

  dispose(): void {
    this.#listening.dispose();
  }
}
