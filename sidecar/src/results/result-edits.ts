import { AppError } from '@devdb/shared/errors';
import type { Relation, RowChange, ShownTableFacts } from '@devdb/shared/protocol/edit-methods';
import type { ResultColumn, RowFilter } from '@devdb/shared/protocol/result-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import type {
  ChangeStatement,
  EditableColumn,
  EditableTable,
  ResultSource,
  ShownTable,
} from '../engines/row-editing.ts';
import { ChangeStatements, columnRefusal, type Dialect, type ShownRows } from './change-statements.ts';
import { tableCondition } from './table-condition.ts';

export interface EditedResult {
  readonly source: ResultSource;
  readonly columns: readonly ResultColumn[];
  /** A row by its number in the file. */
  cellsInFile(row: number, signal: AbortSignal): Promise<readonly Cell[]>;
}

/** The rows of a result as rows of a table, where they are. */
export class ResultEdits {
  readonly #result: EditedResult;
  #shown: ShownRows | undefined;

  constructor(result: EditedResult) {
    this.#result = result;
  }

  get source(): ResultSource {
    return this.#result.source;
  }

  showsTable(shown: ShownTable, table: EditableTable): void {
    const columns = columnsBehind(this.#result.columns, shown, table);
    this.#shown = columns && { table, columns };
  }

  /** What the editor shows of it. */
  get facts(): ShownTableFacts {
    const shown = this.#shown;
    if (shown === undefined) return { columns: [], links: [] };
    const { table, columns } = shown;
    const refusal = this.#statements(shown).refusal;
    return {
      name: table.name,
      ...(refusal === undefined ? {} : { refusal }),
      columns: columns.map((column) => {
        const why = columnRefusal(column);
        const facts = { isKey: table.key.includes(column.name), isNullable: column.isNullable };
        return why === undefined ? facts : { ...facts, refusal: why };
      }),
      links: table.links.flatMap(({ columns: names, parentName }) => {
        const places = names.map((name) => columns.findIndex((column) => column.name === name));
        return places.includes(-1) ? [] : { columns: places, table: parentName };
      }),
    };
  }

  statements(changes: readonly RowChange[], signal: AbortSignal): Promise<readonly ChangeStatement[]> {
    return this.#statements(this.#table).of(changes, (row) => this.#result.cellsInFile(row, signal));
  }

  /** The statement that reads the rows which belong to a cell. */
  async related(which: Relation, row: number, column: number, signal: AbortSignal): Promise<string> {
    const statements = this.#statements(this.#table);
    const cells = await this.#result.cellsInFile(row, signal);
    return which === 'referenced' ? statements.referenced(cells, column) : statements.withSameValue(cells, column);
  }

  /** The condition by which the database finds the table's rows that pass all filters. */
  condition(filters: readonly RowFilter[]): string {
    return tableCondition(filters, this.#table, this.#dialect);
  }

  get #table(): ShownRows {
    if (this.#shown !== undefined) return this.#shown;
    throw new AppError('E_NOT_SUPPORTED', 'This result does not show the rows of one table.');
  }

  #statements(shown: ShownRows): ChangeStatements {
    return new ChangeStatements(shown, this.#dialect);
  }

  get #dialect(): Dialect {
    const { literals, editing } = this.source.session;
    return { literals, values: editing.values };
  }
}

/** Undefined where a column of the result is not one of the table's. */
function columnsBehind(
  columns: readonly ResultColumn[],
  shown: ShownTable,
  table: EditableTable,
): readonly EditableColumn[] | undefined {
  const names = shown.columns ?? columns.map(({ name }) => name);
  if (names.length !== columns.length) return undefined;
  const found = names.flatMap((name) => columnNamed(table, name) ?? []);
  return found.length === names.length ? found : undefined;
}

/** In any case, where only one column can be meant. */
function columnNamed({ columns }: EditableTable, name: string): EditableColumn | undefined {
  const exact = columns.find((column) => column.name === name);
  const similar = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  return exact ?? (similar.length === 1 ? similar[0] : undefined);
}
