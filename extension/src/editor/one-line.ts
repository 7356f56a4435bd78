import { AppError } from '@devdb/shared/errors';

/**
 * A command as one line for this shell. The editor cannot follow a command of several lines to its end, a tab would ask
 * the shell for a completion, and in a line that is typed `!` is replaced by an earlier command.
 */
export function asOneLine(command: string, shell: string | undefined): string {
  const text = command.trim();
  if (!/[\n\t!]/.test(text)) return text;
  const quote = QUOTES.get(shell ?? '');
  if (quote !== undefined) return quote(text);
  // Only bash, zsh and their like replace it.
  if (!/[\n\t]/.test(text)) return text;
  throw new AppError(
    'E_INVALID_PARAMS',
    `The shell of this terminal (${shell ?? 'unknown'}) takes one line at a time.`,
    {
      hint: 'Join the commands on one line without tabs, or write a script and run that.',
      details: { applied: false },
    },
  );
}

const QUOTES: ReadonlyMap<string, (text: string) => string> = new Map([
  ['bash', ansiC],
  ['zsh', ansiC],
  ['ksh', ansiC],
  ['gitbash', ansiC],
  ['fish', fish],
  ['pwsh', powershell],
  ['powershell', powershell],
]);

function ansiC(text: string): string {
  return `eval $'${escaped(text, { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\t': '\\t' })}'`;
}

/** Between its quotes fish knows no sign for a line break; outside of them it does. */
function fish(text: string): string {
  return `eval '${escaped(text, { '\\': '\\\\', "'": "\\'", '\n': "'\\n'", '\t': "'\\t'" })}'`;
}

function powershell(text: string): string {
  const signs = { '`': '``', '"': '`"', $: '`$', '\n': '`n', '\t': '`t', '“': '`“', '”': '`”', '„': '`„' };
  return `Invoke-Expression "${escaped(text, signs)}"`;
}

function escaped(text: string, signs: Readonly<Record<string, string>>): string {
  return [...text].map((char) => signs[char] ?? char).join('');
}
