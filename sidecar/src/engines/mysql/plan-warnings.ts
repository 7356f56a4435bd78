import type { Conversion } from '../plan-steps.ts';
import type { ServerConnection } from './connection.ts';

/** An index that is left aside because the comparison converts its column: MySQL's words, and MariaDB's. */
const MYSQL =
  /^Cannot use \w{1,20} access on index '([^']{1,200})' due to type or collation conversion on field '([^']{1,200})'/;
const MARIADB =
  /^Cannot use key `([^`]{1,200})` part\[\d{1,4}\] for \w{1,20}: (?:`[^`]{0,200}`\.)?(?:`([^`]{1,200})`\.)?`([^`]{1,200})` of type/;

/** What the server said about conversions while it planned the last statement of the connection. */
export async function conversionsSaid(connection: ServerConnection): Promise<Conversion[]> {
  const said: Conversion[] = [];
  await connection.run('SHOW WARNINGS', {
    row: ([, , message]) => {
      const conversion = readWarning(message?.toString('utf8') ?? '');
      if (conversion !== undefined) said.push(conversion);
    },
  });
  return said;
}

/** The conversion that a warning is about; undefined for any other warning. */
export function readWarning(message: string): Conversion | undefined {
  const [, mysqlIndex, field] = MYSQL.exec(message) ?? [];
  if (mysqlIndex !== undefined) return { what: `${field} of the index ${mysqlIndex}` };
  const [, index, table, column] = MARIADB.exec(message) ?? [];
  return index === undefined ? undefined : { what: `${column} of the index ${index}`, table };
}
