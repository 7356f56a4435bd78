type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Text is text: nothing that a database or an agent says becomes markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** A button with its action. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}

/** A choice among labelled values. */
export function select(label: string, options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement {
  return element(
    'select',
    { 'aria-label': label },
    ...options.map(([value, text]) => element('option', { value }, text)),
  );
}
