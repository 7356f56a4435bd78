import { button, element } from '../../page/elements.ts';
import type { ResultColumn } from '../page-messages.ts';
import { hexDump } from './hex-dump.ts';
import { imageType } from './image-type.ts';
import { prettyJson } from './pretty-json.ts';

/** A cell as the sidecar gives it, whole up to a limit. */
export interface WholeCell {
  readonly kind: 'null' | 'boolean' | 'number' | 'text' | 'binary';
  readonly text: string;
  readonly length: number;
  readonly isCut: boolean;
}

/** Shows one cell whole: JSON a value a line, an image as a picture, other binary as bytes. */
export class CellViewer {
  readonly view = element('aside', { class: 'viewer', 'aria-label': 'Cell', hidden: true });
  readonly #onClose: () => void;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
    this.view.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
  }

  show(column: ResultColumn, row: number, cell: WholeCell): void {
    const pretty = cell.kind === 'text' ? prettyJson(cell.text) : undefined;
    const text = element('pre', { tabindex: 0, 'aria-label': 'Value', class: cell.kind });
    text.textContent = shownText(cell, pretty);
    const title = `${column.name}, row ${(row + 1).toLocaleString('en')}`;
    this.view.replaceChildren(
      element(
        'header',
        {},
        element('h2', {}, title),
        button('Close', () => this.close()),
      ),
      element('p', { class: 'facts' }, factsOf(column, cell, pretty !== undefined)),
      ...pictureOf(title, cell),
      text,
    );
    this.view.hidden = false;
    text.focus();
  }

  close(): void {
    this.view.hidden = true;
    this.#onClose();
  }
}

/** The extension has parsed it. */
export function isWholeCell(answer: unknown): answer is WholeCell {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && 'text' in answer;
}

/** The picture of a cell that has one; it is drawn and cannot run or load anything. */
function pictureOf(title: string, { kind, text, isCut }: WholeCell): readonly HTMLElement[] {
  const type = kind === 'binary' && !isCut ? imageType(text) : undefined;
  if (type === undefined) return [];
  const bytes = text.replace(/../g, (two) => String.fromCharCode(Number.parseInt(two, 16)));
  const image = element('img', { src: `data:${type};base64,${btoa(bytes)}`, alt: `Image of ${title}` });
  const size = element('figcaption', {}, type);
  image.addEventListener('load', () => {
    size.textContent = `${type}, ${image.naturalWidth} × ${image.naturalHeight}`;
  });
  image.addEventListener('error', () => {
    size.textContent = `${type}, which cannot be drawn`;
    image.remove();
  });
  return [element('figure', {}, image, size)];
}

function shownText({ kind, text }: WholeCell, pretty: string | undefined): string {
  if (kind === 'null') return 'NULL';
  return kind === 'binary' ? hexDump(text) : (pretty ?? text);
}

function factsOf({ type }: ResultColumn, { kind, length, isCut }: WholeCell, isJson: boolean): string {
  const size = { binary: `${length} bytes`, text: length === 0 ? 'empty text' : `${length} characters` };
  const facts = [
    ...(type === undefined ? [] : [type]),
    ...(kind === 'text' || kind === 'binary' ? [size[kind]] : []),
    ...(isJson ? ['JSON'] : []),
    ...(isCut ? ['only the beginning is shown'] : []),
  ];
  return facts.join(' · ');
}
