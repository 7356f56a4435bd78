import { AppError } from '@devdb/shared/errors';
import * as vscode from 'vscode';
import { type Borrowed, SettingsJournal } from './settings-journal.ts';

const TARGETS = {
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
  workspace: vscode.ConfigurationTarget.Workspace,
  user: vscode.ConfigurationTarget.Global,
} as const satisfies Record<Borrowed['level'], vscode.ConfigurationTarget>;

/** Settings to change during a piece of work, in a folder of the window. */
export interface Wanted {
  readonly folder: string;
  readonly settings: ReadonlyMap<string, unknown>;
}

/**
 * Changes settings during a piece of work and then restores the old values. Every change is recorded first, so that the
 * next window repairs what a crash left.
 */
export class BorrowedSettings {
  readonly #journal: SettingsJournal;
  readonly #onFault: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();
  #borrowed: readonly Borrowed[] = [];

  /** `storage` is a folder shared by all the user's windows. */
  constructor(storage: string, onFault: (error: unknown) => void) {
    this.#journal = new SettingsJournal(storage);
    this.#onFault = onFault;
  }

  /** Restores what ended windows left changed. */
  restoreLeftovers(): Promise<void> {
    return this.#inTurn(() => this.#restoreLeftovers());
  }

  /**
   * Runs the work while these settings have these values. One piece of work at a time, since each restores what it
   * found.
   */
  with<T>(wanted: Wanted, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#journal.take(signal);
      try {
        await this.#restoreLeftovers();
        await this.#borrow(wanted);
        return await work();
      } finally {
        await this.#giveBack();
      }
    });
  }

  async #borrow({ folder, settings }: Wanted): Promise<void> {
    const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(folder));
    const changes = [...settings].filter(([key, value]) => config.get(key) !== value);
    const borrowed = changes.map(([key, meanwhile]) => ({ key, folder, meanwhile, ...placeOf(config.inspect(key)) }));
    this.#journal.note(borrowed);
    this.#borrowed = borrowed;
    try {
      for (const { key, level, meanwhile } of borrowed) await config.update(key, meanwhile, TARGETS[level]);
    } catch (error) {
      throw notWritable(error);
    }
  }

  async #giveBack(): Promise<void> {
    const borrowed = this.#borrowed;
    this.#borrowed = [];
    try {
      for (const setting of borrowed) await restore(setting);
      this.#journal.release();
    } catch (error) {
      // The work itself is done, so its answer counts.
      this.#onFault(error);
      this.#journal.leave();
    }
  }

  async #restoreLeftovers(): Promise<void> {
    for (const [file, settings] of this.#journal.leftovers()) {
      try {
        for (const setting of settings.filter(isReachable)) await restore(setting);
        this.#journal.keep(
          file,
          settings.filter((setting) => !isReachable(setting)),
        );
      } catch (error) {
        // It stays recorded for the next attempt.
        this.#onFault(error);
      }
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Restores a value, unless the user has changed it meanwhile. */
async function restore({ key, folder, level, value, meanwhile }: Borrowed): Promise<void> {
  const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(folder));
  const found = config.inspect(key);
  const now = { folder: found?.workspaceFolderValue, workspace: found?.workspaceValue, user: found?.globalValue };
  if (now[level] === meanwhile) await config.update(key, value, TARGETS[level]);
}

/** A folder's settings can only be written by a window that has it open. */
function isReachable({ level, folder }: Borrowed): boolean {
  return level === 'user' || (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.fsPath === folder);
}

/** The level whose value is effective; without one the user's, so that no file of the repository is written. */
function placeOf(found: ReturnType<vscode.WorkspaceConfiguration['inspect']>): Pick<Borrowed, 'level' | 'value'> {
  if (found?.workspaceFolderValue !== undefined) return { level: 'folder', value: found.workspaceFolderValue };
  if (found?.workspaceValue !== undefined) return { level: 'workspace', value: found.workspaceValue };
  return found?.globalValue === undefined ? { level: 'user' } : { level: 'user', value: found.globalValue };
}

function notWritable(cause: unknown): AppError {
  return new AppError('E_EDIT_FAILED', 'A setting that stops the editor from asking could not be changed.', {
    hint: 'The settings file may have unsaved changes or an error in it. Ask the user to save or repair settings.json, then call again.',
    cause,
  });
}
