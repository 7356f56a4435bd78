import * as vscode from 'vscode';
import * as z from 'zod';
import { BORROWED_SETTINGS } from './borrowed-settings-key.ts';

/** Where a setting was changed and what stood there. A value that was not there is left out. */
const borrowedSchema = z.array(
  z.strictObject({
    key: z.string(),
    folder: z.string(),
    level: z.enum(['folder', 'workspace', 'user']),
    value: z.unknown().optional(),
  }),
);
type Borrowed = z.infer<typeof borrowedSchema>[number];
type Level = Borrowed['level'];

const TARGETS = {
  folder: vscode.ConfigurationTarget.WorkspaceFolder,
  workspace: vscode.ConfigurationTarget.Workspace,
  user: vscode.ConfigurationTarget.Global,
} as const satisfies Record<Level, vscode.ConfigurationTarget>;

/**
 * Changes settings for the time of a piece of work and puts the old values back. What is changed is written down
 * before, so that the next start of the window repairs what a crash left.
 */
export class BorrowedSettings {
  readonly #memory: vscode.Memento;
  #last: Promise<unknown> = Promise.resolve();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Puts back what an earlier run of the window did not. */
  restoreLeftovers(): Promise<void> {
    return this.#inTurn(() => this.#restore());
  }

  /** Runs the work while these settings have these values. One piece of work at a time: each restores what it found. */
  with<T>(folder: string, wanted: ReadonlyMap<string, unknown>, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#restore();
      try {
        await this.#borrow(folder, wanted);
        return await work();
      } finally {
        await this.#restore();
      }
    });
  }

  async #borrow(folder: string, wanted: ReadonlyMap<string, unknown>): Promise<void> {
    const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(folder));
    const changes = [...wanted].filter(([key, value]) => config.get(key) !== value);
    await this.#write(changes.map(([key]) => ({ key, folder, ...placeOf(config.inspect(key)) })));
    for (const { key, level } of this.#written()) await config.update(key, wanted.get(key), TARGETS[level]);
  }

  async #restore(): Promise<void> {
    const borrowed = this.#written();
    if (borrowed.length === 0) return;
    for (const { key, folder, level, value } of borrowed) {
      const config = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(folder));
      await config.update(key, value, TARGETS[level]);
    }
    await this.#write([]);
  }

  #written(): readonly Borrowed[] {
    return borrowedSchema.safeParse(this.#memory.get<unknown>(BORROWED_SETTINGS, [])).data ?? [];
  }

  async #write(borrowed: readonly Borrowed[]): Promise<void> {
    await this.#memory.update(BORROWED_SETTINGS, borrowed.length === 0 ? undefined : borrowed);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** The level whose value holds; where there is none, the user's, so that no file of the repository is written. */
function placeOf(found: ReturnType<vscode.WorkspaceConfiguration['inspect']>): Pick<Borrowed, 'level' | 'value'> {
  if (found?.workspaceFolderValue !== undefined) return { level: 'folder', value: found.workspaceFolderValue };
  if (found?.workspaceValue !== undefined) return { level: 'workspace', value: found.workspaceValue };
  return found?.globalValue === undefined ? { level: 'user' } : { level: 'user', value: found.globalValue };
}
