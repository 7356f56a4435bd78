import type * as vscode from 'vscode';
import { keptPlan } from './kept-plan.ts';
import { type Explained, PlanPanel, type PlanParts, type PlanTab } from './plan-panel.ts';

/** The tabs with plans, one for each file or list that statements are explained from. */
export class Plans {
  readonly #parts: PlanParts;
  readonly #panels = new Map<string, PlanPanel>();

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  /** Shows a plan in the tab of this key, which is opened where there is none. */
  async show(key: string, title: string, explained: Explained): Promise<void> {
    await (this.#panels.get(key) ?? this.#panelOf({ key, title })).show(explained);
  }

  /** Takes over a tab that was there before the window was reloaded; one of which nothing is known is closed. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptPlan().safeParse(state);
    if (!kept.success || this.#panels.has(kept.data.key)) {
      panel.dispose();
      return;
    }
    const { key, title, root, connection, query } = kept.data;
    this.#panelOf({ key, title, left: { panel, explained: { root, connection, query } } });
  }

  #panelOf(tab: PlanTab): PlanPanel {
    const panel = new PlanPanel(tab, this.#parts, () => this.#panels.delete(tab.key));
    this.#panels.set(tab.key, panel);
    return panel;
  }

  end(): void {
    for (const panel of [...this.#panels.values()]) panel.close();
  }
}
