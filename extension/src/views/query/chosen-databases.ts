import { nameText, pathText, plain } from '@devdb/shared/plain-text';
import { type DatabaseChoice, databaseChoices } from '@devdb/shared/protocol/result-methods';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';

const KEY = 'devdb.query.databases';
const LIST_LIMIT_MS = 30_000;
/** How many files keep their choice; beyond that, the oldest choices are forgotten. */
const MOST_FILES = 500;

/** Which database each file is run on, remembered for the workspace. */
export class ChosenDatabases {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The id of the chosen one; undefined for the project's default. */
  of(uri: vscode.Uri): string | undefined {
    return this.#all().find(([file]) => file === uri.toString())?.[1];
  }

  /** Lets the user choose; false when they choose nothing. */
  async choose(client: SidecarClient, root: string, uri: vscode.Uri): Promise<boolean> {
    const { databases } = await client.call(databaseChoices, { root }, { timeoutMs: LIST_LIMIT_MS });
    const rows = databases.map((one) => ({
      label: forEditor(labelOf(one)),
      description: forEditor(pathText(one.target)),
      one,
    }));
    const chosen = await vscode.window.showQuickPick(rows, { title: 'Run this file on which database?' });
    if (chosen === undefined) return false;
    await this.remember(uri, chosen.one.id);
    return true;
  }

  async remember(uri: vscode.Uri, id: string): Promise<void> {
    const others = this.#all().filter(([file]) => file !== uri.toString());
    await this.#memory.update(KEY, [...others, [uri.toString(), id] as const].slice(-MOST_FILES));
  }

  #all(): readonly (readonly [file: string, id: string])[] {
    const kept = this.#memory.get<unknown>(KEY);
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((one: unknown) =>
      Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string' ? [[one[0], one[1]] as const] : [],
    );
  }
}

function labelOf({ name, isDefault }: DatabaseChoice) {
  return isDefault ? plain`${nameText(name)} (default)` : nameText(name);
}
