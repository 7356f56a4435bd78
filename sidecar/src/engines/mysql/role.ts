import { type RoleOrder, type RoleWriter, sqlComment } from '../role.ts';
import { quoteName } from './quote.ts';

/** MySQL's limit; MariaDB's is higher. */
const MOST_NAME_CHARS = 32;
/** Every host: through a container or tunnel, a connection comes from another host than expected. */
const HOST = '%';

/** The reading user on MySQL and MariaDB. */
export const mysqlRole: RoleWriter = { nameProblem, schemasOf: () => [], script };

function nameProblem(name: string): string | undefined {
  if ([...name].length > MOST_NAME_CHARS) return `is longer than ${MOST_NAME_CHARS} characters`;
  if (name !== name.trimEnd()) return 'ends in a blank, which MySQL would leave out';
  return undefined;
}

function script(order: RoleOrder): string {
  const databases = [...new Set([order.database, ...order.schemas])];
  return [introduction(order, databases), makeUser(order), grants(order, databases), ending(order)].join('\n\n');
}

function accountOf(name: string): string {
  return `${quoteName(name)}@${quoteName(HOST)}`;
}

function introduction({ name }: RoleOrder, databases: readonly string[]): string {
  return sqlComment(
    `A user that reads and does not write: ${accountOf(name)} on ${databases.map(quoteName).join(', ')}, for MySQL 5.7 or`,
    'MariaDB 10.3 and newer.',
    '',
    'It gets: SELECT, and SHOW VIEW to see what a view is made of, on all tables and views, those that are made later too.',
    'It does not get: writing, EXECUTE and TRIGGER (stored routines are not run, and neither they nor triggers are seen),',
    "FILE, PROCESS, the server's own tables.",
    'No other user loses a right. A view still runs with the rights of its definer.',
    '',
    'To run it: write a password into the line marked below, then, as a user who may create users:',
    '  mysql --default-character-set=utf8mb4 -u root -p < role.sql',
    'It can be run again, for a database that came since: a user that is there keeps its password and what it has.',
    `${quoteName(HOST)} is every host: write the one that DevDB connects from, in all places, to narrow it.`,
  );
}

/** CREATE USER accepts only a literal, so the statement is assembled; without a password it cannot run. */
function makeUser({ name }: RoleOrder): string {
  const create = `CREATE USER IF NOT EXISTS ${accountOf(name)} IDENTIFIED BY `;
  return [
    '-- Texts are meant as they are written here, and GRANT makes no users by itself.',
    "SET SESSION sql_mode = IF(VERSION() LIKE '%MariaDB%' OR VERSION() LIKE '5.%', 'NO_AUTO_CREATE_USER', '');",
    'SET NAMES utf8mb4;',
    '',
    "SET @password = '';  -- <-- HERE: the password, between the quotes; a quote or a backslash in it is written twice",
    '',
    "SET @statement = IF(TRIM(@password) = '',",
    "  'SELECT `Nothing was done: write a password into this script first`',",
    `  CONCAT(${literal(create)}, QUOTE(@password)));`,
    'PREPARE make_user FROM @statement;',
    'EXECUTE make_user;',
    'DEALLOCATE PREPARE make_user;',
    'SET @password = NULL, @statement = NULL;',
  ].join('\n');
}

function grants({ name }: RoleOrder, databases: readonly string[]): string {
  const grant = (database: string): string =>
    `GRANT SELECT, SHOW VIEW ON ${quoteName(database)}.* TO ${accountOf(name)}`;
  const patterns = databases.filter((database) => asPattern(database) !== database);
  const plain = databases.filter((database) => !patterns.includes(database)).map((database) => `${grant(database)};`);
  const asked = patterns.map((database) => grantAsked(grant(database), grant(asPattern(database))));
  return [...plain, ...(patterns.length === 0 ? [] : [ASK_FOR_PATTERNS]), ...asked].join('\n\n');
}

function grantAsked(literally: string, asPatternSays: string): string {
  return `SET @statement = IF(@literal, ${literal(literally)},
  ${literal(asPatternSays)});
PREPARE grant_reads FROM @statement;
EXECUTE grant_reads;
DEALLOCATE PREPARE grant_reads;`;
}

/** Only MySQL 8 has that setting, so the query for it has to be assembled too. */
const ASK_FOR_PATTERNS = `-- In a GRANT a database's name is a pattern, where _ means any character unless a backslash stands before it. A server
-- with partial_revokes (MySQL 8) takes it as it is, the backslash too.
SET @statement = IF(VERSION() LIKE '%MariaDB%', 'SET @literal = 0',
  'SELECT COUNT(*) INTO @literal FROM performance_schema.global_variables
    WHERE VARIABLE_NAME = ''partial_revokes'' AND VARIABLE_VALUE = ''ON''');
PREPARE ask_for_patterns FROM @statement;
EXECUTE ask_for_patterns;
DEALLOCATE PREPARE ask_for_patterns;`;

function ending({ name }: RoleOrder): string {
  return [
    `-- To let it in over TLS alone: ALTER USER ${accountOf(name)} REQUIRE SSL;`,
    '-- All that it may do; more than the above means that the user was there before.',
    `SHOW GRANTS FOR ${accountOf(name)};`,
  ].join('\n');
}

/** A database's name as a GRANT pattern that matches only it: `my_app` would also match `my-app`. */
function asPattern(name: string): string {
  return name.replaceAll(/[\\_%]/g, '\\$&');
}

/** A text literal under the sql_mode that the script sets. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
