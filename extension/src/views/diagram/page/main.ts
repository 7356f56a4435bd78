import { button, element, select } from '../../page/elements.ts';
import { pngOf } from '../../page/picture.ts';
import { MOST_DIAGRAM_KEYS } from '../limits.ts';
import type { GraphTable, SchemaGraph } from '../page-messages.ts';
import { DiagramView } from './diagram-view.ts';
import { drawingOf, type Link } from './drawing.ts';
import { Host } from './host.ts';
import { mermaidText } from './mermaid.ts';
import { tablesAround, withoutGuesses } from './neighbours.ts';
import { LIGHT, type Palette, svgFile } from './svg-file.ts';
import { boxOf } from './table-box.ts';

const HELP =
  'Arrow keys go from table to table, Enter shows the neighbours of one, Escape all, O opens its data, plus and minus zoom, 0 shows everything.';
const AROUND = [
  ['0', 'All tables'],
  ['1', 'Neighbours'],
  ['2', 'Two steps'],
] as const;
const COLORS = [
  ['theme', 'Theme colors'],
  ['light', 'Light'],
] as const;

/** The diagram of a schema, with its bar. */
class Page {
  readonly #host = new Host((news) => {
    if (news.kind === 'graph') {
      this.#host.keep(news.kept);
      this.#take(news.graph, news.title, news.kept.table);
    } else this.#say(news.message);
  });
  readonly #view = new DiagramView({
    onChosen: (name) => this.#chose(name),
    onAround: (name) => this.#around(name, this.#steps === 0 ? 1 : this.#steps),
    onEscape: () => this.#around(undefined, 0),
    onOpen: (name) => this.#host.tell({ kind: 'openData', table: name }),
  });
  readonly #search = element('input', {
    type: 'search',
    placeholder: 'Find',
    'aria-label': 'Find a table or a column',
  });
  readonly #shown = select('Which tables', AROUND);
  readonly #colors = select('Colors of the picture', COLORS);
  readonly #guesses = element('input', { type: 'checkbox', id: 'guesses', checked: true });
  readonly #chosen = element('span', { class: 'chosen-name' });
  readonly #status = element('p', { role: 'status', class: 'status' });
  readonly #note = element('p', { class: 'note' });
  readonly #measure = document.createElement('canvas').getContext('2d');
  #graph: SchemaGraph = { tables: [], left: 0 };
  #center: string | undefined;
  #steps = 0;
  #drawn = 0;

  constructor() {
    const main = document.getElementById('diagram') ?? document.body;
    main.append(this.#bar(), this.#view.element, this.#foot());
    this.#search.addEventListener('input', () => this.#find());
    this.#search.addEventListener('keydown', (event) => this.#searchKey(event));
    this.#shown.addEventListener('change', () => this.#around(this.#view.chosen, Number(this.#shown.value)));
    this.#guesses.addEventListener('change', () => this.#draw(this.#view.chosen));
    this.#host.tell({ kind: 'ready' });
  }

  #bar(): HTMLElement {
    const mermaid = () => {
      const tables = this.#view.drawing.boxes.map(({ table }) => table);
      this.#host.tell({
        kind: 'copy',
        text: mermaidText(tables),
        what: `${counted(tables.length, 'table')} as Mermaid`,
      });
    };
    return element(
      'div',
      { class: 'bar', role: 'group', 'aria-label': 'What is shown, and what to do with it' },
      this.#search,
      this.#shown,
      element('label', { for: 'guesses', class: 'choice' }, this.#guesses, 'Guessed keys'),
      button('+', () => this.#view.zoom(true), { 'aria-label': 'Zoom in', title: 'Zoom in (+)' }),
      button('−', () => this.#view.zoom(false), { 'aria-label': 'Zoom out', title: 'Zoom out (-)' }),
      button('Fit', () => this.#view.fit(), { title: 'Show everything (0)' }),
      button('Open data', () => this.#open(), { title: 'Open the data of the chosen table (O)' }),
      button('Copy Mermaid', mermaid),
      button('Save SVG', () => this.#host.tell({ kind: 'saveText', text: this.#svg() })),
      button('Save PNG', () => void this.#savePicture()),
      this.#colors,
      button('Refresh', () => this.#host.tell({ kind: 'refresh' })),
    );
  }

  #foot(): HTMLElement {
    return element(
      'div',
      { class: 'foot' },
      this.#chosen,
      this.#status,
      this.#note,
      element('p', { class: 'help' }, HELP),
    );
  }

  #take(graph: SchemaGraph, title: string, about: string | undefined): void {
    this.#graph = graph;
    document.title = title;
    const hasAbout = graph.tables.some(({ name }) => name === about);
    this.#note.textContent = graph.left === 0 ? '' : `${counted(graph.left, 'more table')} not shown.`;
    if (hasAbout) this.#around(about, 1);
    else if (this.#center !== undefined) this.#around(this.#center, this.#steps);
    else void this.#draw(undefined);
  }

  #around(name: string | undefined, steps: number): void {
    const isThere = this.#graph.tables.some((table) => table.name === name);
    this.#center = isThere && steps > 0 ? name : undefined;
    this.#steps = this.#center === undefined ? 0 : steps;
    this.#shown.value = String(this.#steps);
    void this.#draw(name);
  }

  /** Lays out what is wanted and draws it. What was asked for later is not overtaken by what came before. */
  async #draw(chosen: string | undefined): Promise<void> {
    this.#drawn += 1;
    const number = this.#drawn;
    const known = this.#guesses.checked ? this.#graph.tables : withoutGuesses(this.#graph.tables);
    const tables = tablesAround(known, this.#center, this.#steps);
    this.#say(`Laying out ${counted(tables.length, 'table')}…`);
    try {
      const widthOf = this.#measuring();
      const boxes = tables.map((table) => boxOf(table, widthOf));
      const all = linksOf(tables);
      const links = all.slice(0, MOST_DIAGRAM_KEYS);
      const placed = await this.#host.place({
        tables: boxes.map(({ width, height }) => ({ width, height })),
        keys: links.map(({ from, to }) => ({ from, to })),
      });
      if (number !== this.#drawn) return;
      const hadFocus = this.#view.element.contains(document.activeElement);
      this.#view.show(drawingOf(boxes, links, placed), chosen);
      if (hadFocus) this.#view.focus();
      this.#find();
      const around = this.#center === undefined ? '' : ` around ${this.#center}`;
      const left = links.length < all.length ? ` of ${all.length}` : '';
      this.#say(
        `${counted(tables.length, 'table')}, ${links.length}${left} ${all.length === 1 ? 'key' : 'keys'}${around}.`,
      );
    } catch (error) {
      if (number === this.#drawn) this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  #find(): readonly GraphTable[] {
    const wanted = this.#search.value.trim().toLowerCase();
    const has = (text: string) => text.toLowerCase().includes(wanted);
    const tables = this.#view.drawing.boxes.map(({ table }) => table);
    const byName = wanted === '' ? [] : tables.filter(({ name }) => has(name));
    const byColumn =
      wanted === '' ? [] : tables.filter(({ name, columns }) => !has(name) && columns.some((one) => has(one.name)));
    const found = [...byName, ...byColumn];
    this.#view.found(new Set(found.map(({ name }) => name)));
    if (wanted !== '') this.#say(`${counted(found.length, 'table')} found.`);
    return found;
  }

  #searchKey({ key }: KeyboardEvent): void {
    if (key === 'ArrowDown') this.#view.focus();
    if (key !== 'Enter') return;
    const found = this.#find();
    const at = found.findIndex(({ name }) => name === this.#view.chosen);
    const next = found[(at + 1) % Math.max(found.length, 1)];
    if (next === undefined) return;
    this.#view.choose(next.name);
    this.#say(`${next.name}: ${found.indexOf(next) + 1} of ${found.length} found.`);
  }

  #chose(name: string): void {
    this.#chosen.textContent = name;
  }

  #open(): void {
    const table = this.#view.chosen;
    if (table !== undefined) this.#host.tell({ kind: 'openData', table });
  }

  #svg(): string {
    return svgFile(this.#view.drawing, this.#colors.value === 'light' ? LIGHT : themePalette());
  }

  async #savePicture(): Promise<void> {
    const { width, height } = this.#view.drawing;
    try {
      this.#host.tell({ kind: 'savePicture', base64: await pngOf(this.#svg(), width, height) });
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Measures texts of the diagram's font, which is asked for once. */
  #measuring(): (text: string) => number {
    const measure = this.#measure;
    if (measure === null) return (text) => text.length * 8;
    measure.font = `bold 12px ${styleOf('--vscode-editor-font-family') || 'monospace'}`;
    return (text) => measure.measureText(text).width;
  }

  #say(message: string): void {
    this.#status.textContent = message;
  }
}

function linksOf(tables: readonly GraphTable[]): Link[] {
  const places = new Map(tables.map(({ name }, at) => [name, at]));
  return tables.flatMap(({ keys }, from) =>
    keys.flatMap((key) => {
      const to = places.get(key.parent);
      return to === undefined ? [] : [{ from, to, key }];
    }),
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function styleOf(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}

function themePalette(): Palette {
  const color = (name: string, otherwise: string) => styleOf(name) || otherwise;
  const text = color('--vscode-editor-foreground', LIGHT.text);
  const frame = color('--vscode-editorWidget-background', LIGHT.frame);
  return {
    background: color('--vscode-editor-background', LIGHT.background),
    frame,
    border: color('--vscode-contrastBorder', color('--vscode-editorWidget-border', text)),
    head: color('--vscode-sideBarSectionHeader-background', frame),
    title: text,
    text,
    faint: color('--vscode-descriptionForeground', text),
    key: color('--vscode-textLink-foreground', text),
    line: color('--vscode-descriptionForeground', text),
  };
}

new Page();
