import { nameText, plain } from '@devdb/shared/plain-text';
import * as vscode from 'vscode';
import { forEditor } from '../../editor-text.ts';
import type { KeptChanges } from './page-messages.ts';

const REOPEN = 'Reopen with the changes';
const DISCARD = 'Discard';

interface Waiting {
  readonly count: number;
  readonly changes: KeptChanges;
}

/** The changes of a tab's results that were typed and not applied. They outlive the page in which they were typed. */
export class Unapplied {
  readonly #title: string;
  readonly #waiting = new Map<string, Waiting>();

  constructor(title: string) {
    this.#title = title;
  }

  /** How many rows they are about. */
  get count(): number {
    return [...this.#waiting.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** Those of each result. */
  get changes(): readonly (readonly [result: string, changes: KeptChanges])[] {
    return [...this.#waiting].map(([result, { changes }]) => [result, changes]);
  }

  set(result: string, count: number, changes: KeptChanges): void {
    if (count === 0) this.#waiting.delete(result);
    else this.#waiting.set(result, { count, changes });
  }

  delete(result: string): void {
    this.#waiting.delete(result);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Asks before other results take the place of these. */
  async mayGo(): Promise<boolean> {
    if (this.count === 0) return true;
    const text = plain`The results have ${this.#many} not applied. Discard?`;
    return (await vscode.window.showWarningMessage(forEditor(text), { modal: true }, DISCARD)) === DISCARD;
  }

  /** The tab was closed: whether the user goes on with them. A notification that is dismissed says no. */
  async areWanted(): Promise<boolean> {
    const text = plain`Results: ${nameText(this.#title)} was closed with ${this.#many} not applied.`;
    return (await vscode.window.showWarningMessage(forEditor(text), REOPEN, DISCARD)) === REOPEN;
  }

  get #many() {
    const { count } = this;
    return count === 1 ? plain`1 change that was` : plain`${count} changes that were`;
  }
}
