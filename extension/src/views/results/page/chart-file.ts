import { HEIGHT, WIDTH } from './chart-drawing.ts';

/** What the page's style sheet says of a shape, which the file has to say itself. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'text-anchor',
  'font-size',
  'font-family',
] as const;

/** The chart on show as a file that needs nothing else, in the theme's colors. */
export function chartFile(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('A copy of a picture is one.');
  const [shown, copied] = [picture.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [at, one] of copied.entries()) {
    const source = shown[at];
    if (source === undefined) continue;
    const style = getComputedStyle(source);
    for (const name of STYLES) one.setAttribute(name, style.getPropertyValue(name));
    one.removeAttribute('class');
  }
  copy.setAttribute('width', String(WIDTH));
  copy.setAttribute('height', String(HEIGHT));
  copy.prepend(ground(picture));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** The page's background, without which light text would stand on nothing. */
function ground(picture: SVGSVGElement): SVGRectElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const color = getComputedStyle(picture.closest('.chart') ?? picture).backgroundColor;
  for (const [name, value] of Object.entries({ width: WIDTH, height: HEIGHT, fill: color })) {
    made.setAttribute(name, String(value));
  }
  return made;
}
