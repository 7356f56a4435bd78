import { element } from '../../page/elements.ts';
import type { Point } from '../page-messages.ts';
import { around, between, type Camera, centred, fitted, moved, overlap, revealing, zoomed } from './camera.ts';
import { type Drawing, linkShape } from './drawing.ts';
import { type Drawn, drawnTable, showLines } from './drawn-table.ts';
import { isDirection, nextPlace } from './neighbours.ts';
import { shape, toElement } from './shape.ts';

/** Smaller than this the columns are not legible: tables show their names large instead. */
const FAR = 0.4;
const ZOOM_STEP = 1.25;
const READABLE = 0.8;
/** It stands still this long before it is drawn anew. */
const SETTLE_MS = 120;
/** A picture enlarged or made smaller by more is drawn anew at once. */
const MOST_STRETCH = 3;
export interface ViewActions {
  /** Another table was chosen. */
  readonly onChosen: (name: string) => void;
  /** The neighbours of a table are wanted. */
  readonly onAround: (name: string) => void;
  readonly onEscape: () => void;
  readonly onOpen: (name: string) => void;
}

/** The drawn tables: one group that is moved and scaled, with the columns of what is on show. */
export class DiagramView {
  readonly element = element('div', { class: 'canvas' });
  readonly #actions: ViewActions;
  readonly #svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  #world = toElement(shape('g', {}));
  #drawing: Drawing = { width: 1, height: 1, boxes: [], links: [] };
  #tables: readonly Drawn[] = [];
  #links: readonly (readonly [from: number, to: number, drawn: SVGElement])[] = [];
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  /** What the picture was drawn for: while the diagram moves, the picture moves as it is. */
  #pictured: Camera = { x: 0, y: 0, scale: 1 };
  #settling: ReturnType<typeof setTimeout> | undefined;
  #settleFrame = 0;
  #chosen = 0;
  #frame = 0;

  constructor(actions: ViewActions) {
    this.#actions = actions;
    this.#svg.setAttribute('role', 'group');
    this.#svg.setAttribute('aria-roledescription', 'diagram');
    this.#svg.setAttribute('aria-label', 'Tables and their keys');
    this.element.append(this.#svg);
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.element.addEventListener('pointerdown', (event) => this.#drag(event));
    this.#svg.addEventListener('keydown', (event) => this.#key(event));
    this.#svg.addEventListener('focusin', ({ target }) => this.#focused(target));
    this.#svg.addEventListener('dblclick', () => this.#withChosen(this.#actions.onAround));
    new ResizeObserver(() => this.#moveSoon()).observe(this.element);
  }

  get drawing(): Drawing {
    return this.#drawing;
  }

  /** The table that is chosen. */
  get chosen(): string | undefined {
    return this.#tables[this.#chosen]?.name;
  }

  show(drawing: Drawing, chosen: string | undefined): void {
    this.#drawing = drawing;
    const all = drawing.boxes.map(({ table }) => table);
    const links = drawing.links.map((link) => {
      const drawn = toElement(linkShape(link, drawing.boxes[link.from]?.table.name ?? ''));
      return [link.from, link.to, drawn] as const;
    });
    this.#links = links;
    this.#tables = drawing.boxes.map((box) => drawnTable(box, all));
    const world = toElement(shape('g', { class: 'world' }));
    world.append(...links.map(([, , drawn]) => drawn), ...this.#tables.map(({ element: drawn }) => drawn));
    this.#svg.replaceChildren(world);
    this.#world = world;
    const at = this.#tables.findIndex(({ name }) => name === chosen);
    this.#mark(Math.max(at, 0));
    this.fit();
    if (at >= 0 && this.#camera.scale < FAR) this.#centre(at);
    this.#draw();
  }

  /** Shows all of it. */
  fit(): void {
    const { width, height } = this.#drawing;
    this.#moveTo(fitted({ x: 0, y: 0, width, height }, this.#screen));
  }

  zoom(isIn: boolean): void {
    const { width, height } = this.#screen;
    this.#moveTo(zoomed(this.#camera, isIn ? ZOOM_STEP : 1 / ZOOM_STEP, { x: width / 2, y: height / 2 }));
  }

  /** Chooses a table and shows it at a size at which it can be read. */
  choose(name: string): void {
    const at = this.#tables.findIndex((one) => one.name === name);
    if (at < 0) return;
    this.#mark(at);
    this.#centre(at);
  }

  /** Marks the tables that a search has found. */
  found(names: ReadonlySet<string>): void {
    for (const { name, element: drawn } of this.#tables) drawn.classList.toggle('found', names.has(name));
  }

  focus(): void {
    this.#tables[this.#chosen]?.element.focus({ preventScroll: true });
  }

  get #screen() {
    const { clientWidth, clientHeight } = this.element;
    return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
  }

  #centre(at: number): void {
    const area = this.#tables[at]?.area;
    if (area === undefined) return;
    const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
    this.#moveTo(centred(middle, Math.max(this.#camera.scale, READABLE), this.#screen));
  }

  #mark(at: number): void {
    this.#tables[this.#chosen]?.element.classList.remove('chosen');
    this.#tables[this.#chosen]?.element.setAttribute('tabindex', '-1');
    this.#chosen = at;
    const table = this.#tables[at];
    table?.element.classList.add('chosen');
    table?.element.setAttribute('tabindex', '0');
    for (const [from, to, drawn] of this.#links) drawn.classList.toggle('lit', from === at || to === at);
    if (table !== undefined) this.#actions.onChosen(table.name);
  }

  #moveTo(camera: Camera): void {
    this.#camera = camera;
    this.#moveSoon();
  }

  /** Several events of one frame move it once. */
  #moveSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#move();
    });
  }

  /** Moves the picture, which costs little, until it stands still or shows too little of what is wanted. */
  #move(): void {
    cancelAnimationFrame(this.#settleFrame);
    clearTimeout(this.#settling);
    const { right, down, factor } = between(this.#pictured, this.#camera);
    const isStretched = factor > MOST_STRETCH || factor < 1 / MOST_STRETCH;
    const { width, height } = this.#screen;
    const isElsewhere = Math.abs(right) > width || Math.abs(down) > height;
    if (isStretched || (isElsewhere && factor >= 1)) {
      this.#draw();
      return;
    }
    this.#svg.style.transform = `translate(${right}px, ${down}px) scale(${factor})`;
    // Counted from the frame on: one that takes long must not make the next one take longer still.
    this.#settleFrame = requestAnimationFrame(() => {
      this.#settling = setTimeout(() => this.#draw(), SETTLE_MS);
    });
  }

  /** Draws what is on show and around it, sharp and with what can be read. */
  #draw(): void {
    this.#pictured = this.#camera;
    const { x, y, scale } = this.#camera;
    const isFar = scale < FAR;
    this.#svg.style.transform = 'none';
    this.#world.setAttribute('transform', `scale(${scale}) translate(${-x} ${-y})`);
    this.#svg.classList.toggle('far', isFar);
    const shown = around(this.#camera, this.#screen);
    for (const table of this.#tables) showLines(table, !isFar && overlap(shown, table.area));
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { deltaX, deltaY, deltaMode, ctrlKey, metaKey } = event;
    const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const isZoom = ctrlKey || metaKey;
    this.#moveTo(
      isZoom
        ? zoomed(this.#camera, Math.exp((-deltaY * unit) / 200), this.#pointOf(event))
        : moved(this.#camera, deltaX * unit, deltaY * unit),
    );
  }

  #pointOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #drag(event: PointerEvent): void {
    if (event.button !== 0) return;
    const start = this.#camera;
    const { clientX, clientY } = event;
    const ended = new AbortController();
    const move = (to: PointerEvent) => this.#moveTo(moved(start, clientX - to.clientX, clientY - to.clientY));
    addEventListener('pointermove', move, { signal: ended.signal });
    for (const end of ['pointerup', 'pointercancel']) {
      addEventListener(end, () => ended.abort(), { signal: ended.signal });
    }
  }

  #focused(target: EventTarget | null): void {
    const at = this.#tables.findIndex(({ element: drawn }) => drawn === target);
    if (at < 0) return;
    if (at !== this.#chosen) this.#mark(at);
  }

  #key(event: KeyboardEvent): void {
    const { key } = event;
    const act = isDirection(key) ? () => this.#step(key) : this.#keys.get(key);
    if (act === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  readonly #keys = new Map<string, () => void>([
    ['+', () => this.zoom(true)],
    ['=', () => this.zoom(true)],
    ['-', () => this.zoom(false)],
    ['0', () => this.fit()],
    ['Enter', () => this.#withChosen(this.#actions.onAround)],
    [' ', () => this.#withChosen(this.#actions.onAround)],
    ['o', () => this.#withChosen(this.#actions.onOpen)],
    ['Escape', () => this.#actions.onEscape()],
  ]);

  #step(direction: Parameters<typeof nextPlace>[2]): void {
    const middles = this.#tables.map(({ area }) => ({ x: area.x + area.width / 2, y: area.y + area.height / 2 }));
    const at = nextPlace(middles, this.#chosen, direction);
    const area = at === undefined ? undefined : this.#tables[at]?.area;
    if (at === undefined || area === undefined) return;
    this.#mark(at);
    this.focus();
    this.#moveTo(revealing(this.#camera, area, this.#screen));
  }

  #withChosen(act: (name: string) => void): void {
    if (this.chosen !== undefined) act(this.chosen);
  }
}
