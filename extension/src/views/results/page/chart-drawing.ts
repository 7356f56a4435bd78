import { type Point, slicesOf, ticksOf } from './chart-data.ts';
import { timeTicks } from './time-axis.ts';

export const CHART_KINDS = { bar: 'Bars', line: 'Line', pie: 'Pie' } as const;
export type ChartKind = keyof typeof CHART_KINDS;

export const [WIDTH, HEIGHT] = [600, 340];
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 590, 10, 305];
/** Labels below the axis that do not run into each other. */
const MAX_LABELS = 6;
const MAX_LABEL_CHARS = 14;
const COLORS = 6;
/** A bar that can be seen, however close its neighbours are in time. */
const MIN_BAR = 2;

type Attributes = Readonly<Record<string, string | number>>;

/** The chart as a picture; the page has its numbers in a table too. */
export function drawing(kind: ChartKind, points: readonly Point[], label: string): SVGSVGElement {
  const picture = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label });
  picture.append(...(kind === 'pie' ? pie(points) : axes(kind, points)));
  return picture;
}

function shape<Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Attributes, text = '') {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== '') made.textContent = text;
  return made;
}

function axes(kind: 'bar' | 'line', points: readonly Point[]): SVGElement[] {
  const ticks = ticksOf(points);
  const [lowest = 0, highest = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number) => BOTTOM - ((value - lowest) / (highest - lowest)) * (BOTTOM - TOP);
  const { xs, width, labels } = placesOf(points);
  const lines = ticks.flatMap((tick) => [
    shape('line', { x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick), class: tick === 0 ? 'axis' : 'tick' }),
    shape('text', { x: LEFT - 6, y: y(tick) + 4, class: 'value' }, compact(tick)),
  ]);
  const path = points.map(({ value }, at) => `${xs[at]},${y(value)}`).join(' ');
  const marks = points.map((point, at) => {
    const { value } = point;
    const x = xs[at] ?? LEFT;
    const height = Math.abs(y(value) - y(0));
    const bar = { x: x - 0.4 * width, y: Math.min(y(value), y(0)), width: 0.8 * width, height };
    const mark =
      kind === 'bar'
        ? shape('rect', { ...bar, class: 'color-0' })
        : shape('circle', { cx: x, cy: y(value), r: 3, class: 'color-0' });
    mark.append(shape('title', {}, labelOf(point)));
    return mark;
  });
  const texts = labels.map(({ x, text }) => shape('text', { x, y: BOTTOM + 18, class: 'label' }, text));
  return [
    ...lines,
    ...texts,
    ...(kind === 'line' ? [shape('polyline', { points: path, class: 'line' })] : []),
    ...marks,
  ];
}

interface Places {
  /** Where each point is. */
  readonly xs: readonly number[];
  /** The room that a bar has. */
  readonly width: number;
  readonly labels: readonly { readonly x: number; readonly text: string }[];
}

/** Points beside each other, or at their moments. */
function placesOf(points: readonly Point[]): Places {
  const moments = points.flatMap(({ at }) => at ?? []);
  if (moments.length > 0 && moments.length === points.length) return timePlaces(moments);
  const width = (RIGHT - LEFT) / Math.max(1, points.length);
  const xs = points.map((_point, at) => LEFT + (at + 0.5) * width);
  const every = Math.ceil(points.length / MAX_LABELS);
  const labels = points.flatMap(({ label }, at) =>
    at % every === 0 ? [{ x: xs[at] ?? LEFT, text: shortened(label) }] : [],
  );
  return { xs, width, labels };
}

/** The moments are in order. The first and the last have room for half a bar. */
function timePlaces(moments: readonly number[]): Places {
  const [from = 0, to = 0] = [moments[0], moments.at(-1)];
  const gaps = moments.slice(1).map((moment, at) => moment - (moments[at] ?? 0));
  const nearest = Math.min(...gaps.filter((gap) => gap > 0));
  const share = Number.isFinite(nearest) ? nearest / (to - from + nearest) : 1;
  const width = Math.max(MIN_BAR, share * (RIGHT - LEFT));
  const span = RIGHT - LEFT - width;
  const x = (at: number) => LEFT + width / 2 + (to > from ? ((at - from) / (to - from)) * span : 0.5 * span);
  const labels = timeTicks(from, to).map(({ at, label }) => ({ x: x(at), text: label }));
  return { xs: moments.map(x), width, labels };
}

function pie(points: readonly Point[]): SVGElement[] {
  const slices = slicesOf(points);
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  const [x, y, radius] = [150, HEIGHT / 2, 140];
  const at = (part: number) =>
    `${x + radius * Math.sin(2 * Math.PI * part)},${y - radius * Math.cos(2 * Math.PI * part)}`;
  let before = 0;
  return slices.flatMap((slice, place) => {
    const part = slice.value / whole;
    const [from, to] = [before, before + part];
    before = to;
    const color = { class: `color-${place % COLORS}` };
    const arc = `M${x},${y} L${at(from)} A${radius},${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${at(to)} Z`;
    const mark =
      part > 0.9999 ? shape('circle', { cx: x, cy: y, r: radius, ...color }) : shape('path', { d: arc, ...color });
    mark.append(shape('title', {}, labelOf(slice)));
    const top = 40 + place * 26;
    const text = `${shortened(slice.label, 24)}: ${compact(slice.value)} (${Math.round(100 * part)}%)`;
    return [
      mark,
      shape('rect', { x: 310, y: top - 11, width: 13, height: 13, ...color }),
      shape('text', { x: 330, y: top, class: 'legend' }, text),
    ];
  });
}

function labelOf({ label, value }: Point): string {
  return `${label}: ${value.toLocaleString('en')}`;
}

function compact(value: number): string {
  return value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 2 });
}

function shortened(text: string, most = MAX_LABEL_CHARS): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
