import { notice } from './method.ts';
import { exactly, filledText, listOf, text, whole } from './shapes.ts';

/**
 * More rows of a result have come; sent to the editor while the statement runs. The first time they come along, as
 * readRows gives them, so that the page need not ask for what is shown at once.
 */
export const rowsArrived = notice('editor/rowsArrived', () =>
  exactly(
    { result: filledText, rows: whole, columns: listOf(exactly({ name: text }, { type: text })) },
    { first: text },
  ),
);
