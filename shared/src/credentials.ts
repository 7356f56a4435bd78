const HIDDEN = '[secret]';

/** Names of values that could be used elsewhere by whoever reads them. */
const NAMES = [
  /password|passwd|passphrase|secret|credential|(api|private|access|account)[-_.]?key|cookie/i,
  // Except the names of color settings.
  /token(?!iz|s?[-_.]?(colou?r|type|modifier|scope))/i,
  /(^|[._-])(pass|pwd|auth)$|authorization$/i,
  /[a-z\d](Pass|Pwd|Auth)$/,
];

/** Credentials recognizable by their form; the captured text before them is kept. */
const FORMS = [
  // In a statement that makes or changes a login; it may contain spaces.
  /(\b(?:identified by|password)[\s=]{0,8}N?')(?:[^']|'')*/gi,
  // The user and password in a URL.
  /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@'"]{1,500}(?=@)/gi,
  /(\b(?:bearer|basic)\s+)[\w+/=.~-]{6,}/gi,
  /((?:password|passwd|passphrase|secret|token|api[-_]?key|pwd)["']?\s*[=:]\s*(?:N?["'])?)[^\s"'&;,]+/gi,
  /()\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z\d]{16})/g,
  // Tried once in a run of such characters, however long the run is.
  /()(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
];

/** Whether a value of this name is a credential. */
export function isCredentialName(name: string): boolean {
  return NAMES.some((pattern) => pattern.test(name));
}

/** The value without credentials. Settings may hold objects, such as a terminal's environment. */
export function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return FORMS.reduce((text, form) => text.replace(form, `$1${HIDDEN}`), value);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // { name: 'Authorization', value: '...' }
  const isNamed = entries.some(
    ([, inner]) => typeof inner === 'string' && inner.length < 100 && isCredentialName(inner),
  );
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const isHidden = isCredentialName(name) || (isNamed && /^value$/i.test(name));
      return [name, isHidden && inner !== null && inner !== '' ? HIDDEN : withoutCredentials(inner)];
    }),
  );
}
