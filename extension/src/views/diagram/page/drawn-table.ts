import type { Point } from '../page-messages.ts';
import type { Area } from './camera.ts';
import { frameShapes, lineShapes } from './drawing.ts';
import { shape, toElement } from './shape.ts';
import { spokenTable } from './spoken.ts';
import type { Box } from './table-box.ts';

/** Of a name in a frame that is seen from afar. */
const FAR_TITLE = 46;
const CHARACTER = 0.62;

/** A table in the picture. */
export interface Drawn {
  readonly area: Area;
  readonly name: string;
  readonly element: SVGElement;
  readonly box: Box;
  /** The columns, once they have been on show. */
  lines?: SVGElement;
}

/** Its frame and its name, read out with its keys to all others. */
export function drawnTable(box: Box & Point, all: Parameters<typeof spokenTable>[1]): Drawn {
  const { x, y, width, height, title, table } = box;
  const attributes = { class: 'table', role: 'img', tabindex: -1, 'aria-label': spokenTable(table, all) };
  const farTitle = { class: 'far-title', x: width / 2, y: height / 2, 'font-size': farSize(title, width) };
  const group = shape('g', { ...attributes, transform: `translate(${x} ${y})` }, [
    ...frameShapes(box),
    shape('text', farTitle, title),
  ]);
  return { area: { x, y, width, height }, name: table.name, element: toElement(group), box };
}

/** Columns are made when they are shown first: most tables of a large schema are only seen from afar. */
export function showLines(table: Drawn, isShown: boolean): void {
  if (table.lines === undefined && isShown) {
    table.lines = toElement(lineShapes(table.box));
    table.element.append(table.lines);
  }
  const { lines } = table;
  if (lines?.classList.contains('hidden') === isShown) lines.classList.toggle('hidden', !isShown);
}

/** As large as its frame is wide. */
function farSize(title: string, width: number): number {
  return Math.min(FAR_TITLE, width / (CHARACTER * Math.max(title.length, 1)));
}
