import { element } from './elements.ts';

/** What a menu offers; `line` parts one group from the next. */
export type MenuEntry = MenuItem | 'line';

export interface MenuItem {
  readonly label: string;
  readonly act: () => void;
  /** The keys that do the same. */
  readonly keys?: string;
}

interface OpenMenu {
  readonly view: HTMLElement;
  readonly close: () => void;
}

let open: OpenMenu | undefined;

/** A button that opens a menu below itself. */
export function menuButton(label: string, entries: () => readonly MenuEntry[]): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', class: 'menu-button', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
    label,
  );
  // A press beside an open menu closes it, and is not to open it again.
  let wasOpen = false;
  made.addEventListener('pointerdown', () => {
    wasOpen = made.getAttribute('aria-expanded') === 'true';
  });
  made.addEventListener('click', () => {
    if (!wasOpen) show();
    wasOpen = false;
  });
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    show();
  });
  const show = () => {
    const { left, bottom } = made.getBoundingClientRect();
    made.setAttribute('aria-expanded', 'true');
    openMenu({
      label,
      entries: entries(),
      at: { x: left, y: bottom },
      onClose: () => made.setAttribute('aria-expanded', 'false'),
      returnTo: made,
    });
  };
  return made;
}

export interface MenuParts {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly at: { readonly x: number; readonly y: number };
  /** What has the keyboard when the menu is gone. */
  readonly returnTo: HTMLElement;
  readonly onClose?: () => void;
}

/** Opens a menu at a place of the page; another one closes. */
export function openMenu({ label, entries, at, returnTo, onClose }: MenuParts): void {
  open?.close();
  const view = element('div', { role: 'menu', class: 'menu', 'aria-label': label });
  const close = () => {
    if (open?.view !== view) return;
    open = undefined;
    view.remove();
    removeEventListener('pointerdown', pressed, true);
    removeEventListener('blur', close);
    onClose?.();
  };
  const pressed = ({ target }: Event) => {
    if (!(target instanceof Node && view.contains(target))) close();
  };
  const items = entries.flatMap((entry) => (entry === 'line' ? [] : [itemView(entry)]));
  const waiting = [...items];
  view.append(...entries.flatMap((entry) => (entry === 'line' ? lineView() : (waiting.shift() ?? []))));
  view.addEventListener('click', ({ target }) => {
    const at = items.findIndex((item) => target instanceof Node && item.contains(target));
    const entry = entries.filter((one) => one !== 'line')[at];
    if (entry === undefined) return;
    close();
    returnTo.focus();
    entry.act();
  });
  view.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      close();
      returnTo.focus();
    } else if (!moved(event.key, items)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Of the key that has opened it.
  view.addEventListener('contextmenu', (event) => event.preventDefault());
  (document.querySelector('main') ?? document.body).append(view);
  open = { view, close };
  addEventListener('pointerdown', pressed, true);
  addEventListener('blur', close);
  place(view, at);
  items[0]?.focus();
}

function itemView({ label, keys }: MenuItem): HTMLElement {
  // Its keys are shown as such, and are no part of its name.
  const shown = keys === undefined ? [] : [element('span', { class: 'keys', 'aria-hidden': 'true' }, keys)];
  const shortcut = { 'aria-keyshortcuts': keys };
  return element('button', { type: 'button', role: 'menuitem', tabindex: -1, ...shortcut }, label, ...shown);
}

function lineView(): HTMLElement {
  return element('div', { role: 'separator' });
}

/** Goes to another item: by arrow keys, or by the letter with which it begins. */
function moved(key: string, items: readonly HTMLElement[]): boolean {
  const { activeElement } = document;
  const now = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1;
  const last = items.length - 1;
  const to = { ArrowDown: now === last ? 0 : now + 1, ArrowUp: now <= 0 ? last : now - 1, Home: 0, End: last }[key];
  const target = to === undefined ? startingWith(key, items, now) : items[to];
  target?.focus();
  return target !== undefined;
}

function startingWith(key: string, items: readonly HTMLElement[], now: number): HTMLElement | undefined {
  if (key.length !== 1) return undefined;
  const fromHere = [...items.slice(now + 1), ...items.slice(0, now + 1)];
  return fromHere.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()));
}

/** Within the page, wherever it was asked for. */
function place(view: HTMLElement, { x, y }: MenuParts['at']): void {
  const { width, height } = view.getBoundingClientRect();
  view.style.left = `${Math.max(0, Math.min(x, innerWidth - width - 4))}px`;
  view.style.top = `${Math.max(0, Math.min(y, innerHeight - height - 4))}px`;
}
