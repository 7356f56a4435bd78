import { button } from '../../page/elements.ts';
import type { ChartPane } from './chart-pane.ts';

export interface ChartToggleParts {
  /** Where the rows are, and the picture in their stead. */
  readonly place: HTMLElement;
  readonly chart: () => Promise<ChartPane>;
  readonly grid: () => HTMLElement | undefined;
  /** The grid is on show again. */
  readonly shown: () => void;
  readonly say: (what: unknown) => void;
}

/** Shows the rows as a picture in the grid's place, or the grid again. */
export class ChartToggle {
  readonly button = button('Chart', () => this.#toggle(), { 'aria-pressed': 'false' });
  readonly #parts: ChartToggleParts;

  constructor(parts: ChartToggleParts) {
    this.#parts = parts;
  }

  /** The rows are others now. */
  refresh(): void {
    if (this.#isOn) this.#showChart();
  }

  get #isOn(): boolean {
    return this.button.getAttribute('aria-pressed') === 'true';
  }

  #toggle(): void {
    const isOn = !this.#isOn;
    this.button.setAttribute('aria-pressed', String(isOn));
    if (isOn) this.#showChart();
    else this.#showGrid();
  }

  #showGrid(): void {
    this.button.setAttribute('aria-pressed', 'false');
    const grid = this.#parts.grid();
    if (grid !== undefined) this.#parts.place.replaceChildren(grid);
    this.#parts.shown();
  }

  #showChart(): void {
    this.#parts.chart().then(
      (chart) => {
        if (this.#isOn) this.#parts.place.replaceChildren(chart.view);
      },
      (error: unknown) => {
        this.#showGrid();
        this.#parts.say(error);
      },
    );
  }
}
