import type { Language } from './languages.ts';

/** The precedence of operators, per language. */
export const BINDING: Readonly<Record<Language, Readonly<Record<string, number>>>> = {
  javascript: operators(
    ['||', '??'],
    ['&&'],
    ['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in', 'instanceof'],
    ['+', '-'],
    ['*', '/', '%', '**'],
  ),
  python: operators(
    ['or'],
    ['and'],
    ['==', '!=', '<', '>', '<=', '>=', 'in', 'is', 'not'],
    ['+', '-'],
    ['*', '/', '%', '//', '**'],
  ),
  php: operators(
    ['??', '?:', '||', 'or'],
    ['&&', 'and'],
    ['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'instanceof'],
    ['.', '+', '-'],
    ['*', '/', '%'],
  ),
  ruby: operators(['||', 'or'], ['&&', 'and'], ['==', '!=', '<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']),
  elixir: operators(
    ['||', 'or'],
    ['&&', 'and'],
    ['==', '!=', '===', '!==', 'in', '<', '>', '<=', '>='],
    ['|>'],
    ['++'],
    ['+', '-'],
    ['*', '/'],
  ),
};
/** Words that are values. */
export const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['True', true],
  ['False', false],
  ['TRUE', true],
  ['FALSE', false],
  ['null', null],
  ['None', null],
  ['nil', null],
  ['NULL', null],
  ['undefined', null],
]);
/** Words before an expression that do not change its value here. */
export const PASSED: Readonly<Record<Language, ReadonlySet<string>>> = {
  javascript: new Set(['new', 'await']),
  python: new Set(['await']),
  php: new Set(['new', 'clone']),
  ruby: new Set(),
  elixir: new Set(),
};

function operators(...levels: readonly (readonly string[])[]): Readonly<Record<string, number>> {
  return Object.fromEntries(levels.flatMap((level, index) => level.map((name) => [name, index + 1])));
}
