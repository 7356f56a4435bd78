/** Texts that multiply when one is inserted into another. */
const MAX_CHARS = 4_096;

/** The result of a method of a text, as Python, JavaScript and Go have it; undefined for others and for long texts. */
export function textMethod(method: string, text: string, args: readonly string[]): string | undefined {
  if ([text, ...args].some(({ length }) => length > MAX_CHARS)) return undefined;
  const result = METHODS[method]?.(text, args);
  return result === undefined || result.length > MAX_CHARS ? undefined : result;
}

/** Whether a method only changes the case of a text. */
export function changesCase(method: string): boolean {
  return /^(?:lower|upper|toLowerCase|toUpperCase)$/.test(method);
}

const METHODS: Readonly<Record<string, (text: string, args: readonly string[]) => string | undefined>> = {
  replace: (text, [from, to]) =>
    from === undefined || from === '' || to === undefined ? undefined : text.replaceAll(from, () => to),
  format: (text, args) => filled(text, /\{(\d{0,2})\}/g, args),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  sprintf: (text, args) => filled(text, /%[sdv]/g, args),
};

/** Fills placeholders, in order or by their number. Undefined where one has another form. */
function filled(text: string, placeholder: RegExp, args: readonly string[]): string | undefined {
  let next = 0;
  let known = args.length > 0 && !/[{}%]/.test(text.replaceAll(placeholder, ''));
  const result = text.replaceAll(placeholder, (_whole, index: unknown) => {
    const value = args[typeof index === 'string' && index !== '' ? Number(index) : next++];
    known &&= value !== undefined;
    return value ?? '';
  });
  return known ? result : undefined;
}
