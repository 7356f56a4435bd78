import { type Drawing, frameShapes, lineShapes, linkShape } from './drawing.ts';
import { shape, toXml } from './shape.ts';

/** The colors of a picture. */
export interface Palette {
  readonly background: string;
  readonly frame: string;
  readonly border: string;
  readonly head: string;
  readonly title: string;
  readonly text: string;
  readonly faint: string;
  readonly key: string;
  readonly line: string;
}

export const LIGHT: Palette = {
  background: '#ffffff',
  frame: '#ffffff',
  border: '#8a8a8a',
  head: '#e8eef7',
  title: '#1a1a1a',
  text: '#1a1a1a',
  faint: '#616161',
  key: '#0a5a9c',
  line: '#5a6b7d',
};

const MARGIN = 20;

/** The whole diagram as a file that needs nothing else. */
export function svgFile(drawing: Drawing, palette: Palette): string {
  const [width, height] = [Math.ceil(drawing.width + 2 * MARGIN), Math.ceil(drawing.height + 2 * MARGIN)];
  const tables = drawing.boxes.map((box) =>
    shape('g', { transform: `translate(${box.x} ${box.y})` }, [...frameShapes(box), lineShapes(box)]),
  );
  const links = drawing.links.map((link) => linkShape(link, drawing.boxes[link.from]?.table.name ?? ''));
  const all = shape('g', { transform: `translate(${MARGIN} ${MARGIN})` }, [...links, ...tables]);
  const ground = shape('rect', { class: 'ground', width, height });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${styleOf(palette)}</style>`,
    `${toXml(ground)}${toXml(all)}</svg>\n`,
  ].join('\n');
}

function styleOf(palette: Palette): string {
  const { background, frame, border, head, title, text, faint, key, line } = safe(palette);
  return [
    `.ground{fill:${background}}`,
    'text{font:12px ui-monospace,Menlo,Consolas,monospace}',
    `.frame{fill:${frame};stroke:${border}}`,
    `.head{fill:${head};stroke:${border}}`,
    `.title{fill:${title};font-weight:bold}`,
    `.name{fill:${text}}`,
    `.type{fill:${faint}}`,
    `.mark{fill:${key};font-size:10px}`,
    `.line{fill:none;stroke:${line}}`,
    `.arrow{fill:${line}}`,
    '.guessed .line{stroke-dasharray:5 4}',
  ].join('');
}

/** A color of a theme is one, or that of the light picture. */
function safe(palette: Palette): Palette {
  const colorOf = (name: keyof Palette) => (/^[#\w(),.%\s/-]+$/.test(palette[name]) ? palette[name] : LIGHT[name]);
  return {
    background: colorOf('background'),
    frame: colorOf('frame'),
    border: colorOf('border'),
    head: colorOf('head'),
    title: colorOf('title'),
    text: colorOf('text'),
    faint: colorOf('faint'),
    key: colorOf('key'),
    line: colorOf('line'),
  };
}
