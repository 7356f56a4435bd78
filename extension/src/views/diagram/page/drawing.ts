import type { GraphKey, Placed, Point, Size } from '../page-messages.ts';
import { type Shape, shape } from './shape.ts';
import { keyLine } from './spoken.ts';
import { type Box, HEAD, LINE, MARK_AT, NAME_AT, SIDE } from './table-box.ts';

/** A key between two tables of the diagram, by their places in its list. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly key: GraphKey;
}

/** Everything that is drawn, and where. */
export interface Drawing extends Size {
  readonly boxes: readonly (Box & Point)[];
  readonly links: readonly (Link & { readonly corners: readonly Point[] })[];
}

export function drawingOf(boxes: readonly Box[], links: readonly Link[], placed: Placed): Drawing {
  return {
    width: placed.width,
    height: placed.height,
    boxes: boxes.map((box, at) => ({ ...box, x: placed.tables[at]?.x ?? 0, y: placed.tables[at]?.y ?? 0 })),
    links: links.map((link, at) => ({ ...link, corners: placed.keys[at] ?? [] })),
  };
}

/** The table's frame and name, which are drawn however small it is. */
export function frameShapes({ title, width, height }: Box): Shape[] {
  return [
    shape('rect', { class: 'frame', width, height, rx: 3 }),
    shape('rect', { class: 'head', width, height: Math.min(HEAD, height), rx: 3 }),
    shape('text', { class: 'title', x: SIDE, y: HEAD / 2 + 4 }, title),
  ];
}

/** The columns, which are not legible from afar. */
export function lineShapes({ lines, width }: Box): Shape {
  const drawn = lines.flatMap(({ mark, name, type }, at) => {
    const y = HEAD + LINE * at + LINE / 2 + 5;
    return [
      ...(mark === '' ? [] : [shape('text', { class: 'mark', x: MARK_AT, y }, mark)]),
      shape('text', { class: 'name', x: NAME_AT, y }, name),
      ...(type === '' ? [] : [shape('text', { class: 'type', x: width - SIDE, y, 'text-anchor': 'end' }, type)]),
    ];
  });
  return shape('g', { class: 'lines' }, drawn);
}

const ARROW = 6;

/** A key's line, with an arrow at the table that it points to; dashed where it is guessed. */
export function linkShape({ corners, key }: Drawing['links'][number], table: string): Shape {
  const line = corners.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return shape('g', { class: key.isGuessed ? 'link guessed' : 'link' }, [
    shape('title', {}, keyLine(table, key)),
    shape('path', { class: 'line', d: line }),
    shape('path', { class: 'arrow', d: arrowAt(corners) }),
  ]);
}

function arrowAt(corners: readonly Point[]): string {
  const [before, end] = corners.slice(-2);
  if (before === undefined || end === undefined) return '';
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [x, y] = [((end.x - before.x) / length) * ARROW, ((end.y - before.y) / length) * ARROW];
  const left = `${end.x - x - y / 2} ${end.y - y + x / 2}`;
  const right = `${end.x - x + y / 2} ${end.y - y - x / 2}`;
  return `M${left}L${end.x} ${end.y}L${right}Z`;
}
