import { type Explained, PlanPanel, type PlanParts } from './plan-panel.ts';

/** The tabs with plans, one for each file or list that statements are explained from. */
export class Plans {
  readonly #parts: PlanParts;
  readonly #panels = new Map<string, PlanPanel>();

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  /** Shows a plan in the tab of this key, which is opened where there is none. */
  async show(key: string, title: string, explained: Explained): Promise<void> {
    const panel = this.#panels.get(key) ?? new PlanPanel(title, this.#parts, () => this.#panels.delete(key));
    this.#panels.set(key, panel);
    await panel.show(explained);
  }

  end(): void {
    for (const panel of [...this.#panels.values()]) panel.close();
  }
}
