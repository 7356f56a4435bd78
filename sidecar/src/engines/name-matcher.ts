/** How search-schema compares names: one rule for all engines. */
export { nameMatcher } from './sqlite/search.ts';
