import type { Point, Size } from '../page-messages.ts';

/** What of the diagram is on show: its point in the upper left corner, and how large it is. */
export interface Camera extends Point {
  readonly scale: number;
}

export interface Area extends Point, Size {}

const LEAST = 0.01;
const MOST = 4;
const MARGIN = 24;

/** Shows the whole area, as large as fits but never enlarged. */
export function fitted(area: Area, screen: Size): Camera {
  const across = (screen.width - 2 * MARGIN) / area.width;
  const scale = clamped(Math.min(1, across, (screen.height - 2 * MARGIN) / area.height));
  return centred({ x: area.x + area.width / 2, y: area.y + area.height / 2 }, scale, screen);
}

export function centred({ x, y }: Point, scale: number, screen: Size): Camera {
  return { x: x - screen.width / 2 / scale, y: y - screen.height / 2 / scale, scale };
}

/** What is under this point of the screen stays there. */
export function zoomed({ x, y, scale }: Camera, factor: number, at: Point): Camera {
  const next = clamped(scale * factor);
  return { x: x + at.x / scale - at.x / next, y: y + at.y / scale - at.y / next, scale: next };
}

/** Moved by pixels of the screen. */
export function moved({ x, y, scale }: Camera, right: number, down: number): Camera {
  return { x: x + right / scale, y: y + down / scale, scale };
}

/** Moved as little as is needed for the area to be on show. */
export function revealing(camera: Camera, area: Area, screen: Size): Camera {
  const { scale } = camera;
  const margin = MARGIN / scale;
  return {
    x: along(camera.x, screen.width / scale, area.x - margin, area.width + 2 * margin),
    y: along(camera.y, screen.height / scale, area.y - margin, area.height + 2 * margin),
    scale,
  };
}

function along(start: number, length: number, from: number, size: number): number {
  if (from < start || size > length) return from;
  return Math.max(start, from + size - length);
}

/** How what was drawn for one camera is moved and scaled to look as another one has it. */
export function between(
  drawn: Camera,
  now: Camera,
): { readonly right: number; readonly down: number; readonly factor: number } {
  return {
    right: (drawn.x - now.x) * now.scale,
    down: (drawn.y - now.y) * now.scale,
    factor: now.scale / drawn.scale,
  };
}

/** The camera's view and as much again on every side. */
export function around({ x, y, scale }: Camera, { width, height }: Size): Area {
  return { x: x - width / scale, y: y - height / scale, width: (3 * width) / scale, height: (3 * height) / scale };
}

/** Whether two areas have anything in common. */
export function overlap(one: Area, other: Area): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function clamped(scale: number): number {
  return Math.min(MOST, Math.max(LEAST, scale));
}
