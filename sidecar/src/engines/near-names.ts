/** What a mistyped name may have meant: one rule for all engines. */
export { nearNames } from './sqlite/near-names.ts';
