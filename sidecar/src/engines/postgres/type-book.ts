import type { RowSet } from '../engine.ts';
import type { Connections } from './pool.ts';
import { builtInType } from './type-names.ts';
import type { Field } from './wire/statement-run.ts';

/** The names of the types defined in this database, each looked up once. */
export class TypeBook {
  readonly #names = new Map<number, string>();

  /** The columns of a result. Types are looked up on a separate connection, since the result's may be gone. */
  async columns(fields: readonly Field[], connections: Connections, signal: AbortSignal): Promise<RowSet['columns']> {
    const known = fields.map(({ dataTypeID, dataTypeModifier }) => builtInType(dataTypeID, dataTypeModifier));
    const unknown = fields.filter(({ dataTypeID }, i) => known[i] === undefined && !this.#names.has(dataTypeID));
    if (unknown.length > 0)
      await this.#look(
        unknown.map(({ dataTypeID }) => dataTypeID),
        connections,
        signal,
      );
    return fields.map(({ name, dataTypeID }, i) => ({
      name,
      type: known[i] ?? this.#names.get(dataTypeID) ?? String(dataTypeID),
    }));
  }

  async #look(types: readonly number[], connections: Connections, signal: AbortSignal): Promise<void> {
    const sql = `SELECT oid, pg_catalog.format_type(oid, NULL) FROM pg_catalog.pg_type
      WHERE oid OPERATOR(pg_catalog.=) ANY ('{${types.join(', ')}}'::pg_catalog.oid[])`;
    await connections.use(signal, async (connection) => {
      await connection.run(sql, 'statement', {
        row: ([oid, name]) => {
          if (typeof name === 'string') this.#names.set(Number(oid), name);
        },
      });
    });
  }
}
