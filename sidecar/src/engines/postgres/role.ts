import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { SERVER_LOCK_TIMEOUT_MS } from '../limits.ts';
import { type RoleOrder, type RoleWriter, schemasOption, shellWord, sqlComment } from '../role.ts';
import { IDLE_TIMEOUT_MS } from './guard.ts';
import { literal, quoteName } from './quote.ts';

const MOST_NAME_BYTES = 63;
/** Marks roles we created, to distinguish them from others in use. */
const MARK = 'Reads for DevDB; made by devdb role';
const SCHEMA_OPTIONS = ['schema', 'currentschema', 'searchpath', 'schemasearchpath'];

/** The script may run as a superuser, so no user-defined function or operator must replace one of Postgres' own. */
const BEGINNING = 'BEGIN;\nSET LOCAL search_path = pg_catalog, pg_temp;';

/** The reading role on Postgres. */
export const postgresRole: RoleWriter = { nameProblem, schemasOf, script };

function nameProblem(name: string): string | undefined {
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) return `is longer than ${MOST_NAME_BYTES} bytes`;
  return undefined;
}

function schemasOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  return schemasOption(options, SCHEMA_OPTIONS);
}

function script(order: RoleOrder): string {
  return [
    introduction(order),
    BEGINNING,
    makeRole(order),
    settings(order),
    order.schemas.length === 0 ? grantsEverywhere(order) : grantsInSchemas(order),
    grantsLater(order),
    tellMore(order),
    'COMMIT;',
    whatPublicMay(order),
  ].join('\n\n');
}

function introduction({ name, database, schemas }: RoleOrder): string {
  const where = schemas.length === 0 ? 'all schemas' : `the schemas ${schemas.map(quoteName).join(', ')}`;
  return sqlComment(
    `A role that reads and does not write: ${quoteName(name)} in the database ${quoteName(database)} of PostgreSQL.`,
    '',
    `It gets: the right to connect, and to select from the tables, views and sequences of ${where},`,
    'those that are made later by the same owners too. Its transactions are read-only, its statements end in time.',
    "It does not get: writing, making objects, other schemas, the server's files and programs.",
    'No other role loses a right. Rows behind row security stay as hidden as their policies say.',
    '',
    'To run it: write a password into the line marked below, then, as a superuser or as the owner of the database',
    'and its tables who may create roles:',
    `  psql -v ON_ERROR_STOP=1 -d ${shellWord(database)} -f role.sql`,
    'All of it happens or nothing. It can be run again: for another password, for tables and schemas that came since.',
  );
}

function makeRole({ name, database }: RoleOrder): string {
  const [role, text] = [quoteName(name), literal(name)];
  return inBlock(`DECLARE
  password constant text := '';  -- <-- HERE: the password, between the quotes; a quote in it is written twice
BEGIN
  IF btrim(password) = '' THEN
    RAISE EXCEPTION 'Nothing was done: write a password into this script first.';
  END IF;
  IF current_database() <> ${literal(database)} THEN
    RAISE EXCEPTION 'Nothing was done: this script is for the database %, and this is %.', ${literal(database)}, current_database();
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${text}) THEN
    CREATE ROLE ${role};
    COMMENT ON ROLE ${role} IS ${literal(MARK)};
  ELSIF (SELECT pg_catalog.shobj_description(oid, 'pg_authid') FROM pg_catalog.pg_roles WHERE rolname = ${text})
        IS DISTINCT FROM ${literal(MARK)} THEN
    RAISE EXCEPTION 'Nothing was done: there is a role % that this script did not make. Print it with another --name.', ${text};
  END IF;
  EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', ${text}, password);
END`);
}

function settings({ name, database }: RoleOrder): string {
  const role = quoteName(name);
  return [
    `ALTER ROLE ${role} SET default_transaction_read_only = on;`,
    `ALTER ROLE ${role} SET statement_timeout = '${MAX_QUERY_TIMEOUT_MS / 1_000}s';`,
    `ALTER ROLE ${role} SET lock_timeout = '${SERVER_LOCK_TIMEOUT_MS / 1_000}s';`,
    `ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '${IDLE_TIMEOUT_MS / 1_000}s';`,
    '',
    `GRANT CONNECT ON DATABASE ${quoteName(database)} TO ${role};`,
  ].join('\n');
}

function grantsInSchemas({ name, schemas }: RoleOrder): string {
  const [role, list] = [quoteName(name), schemas.map(quoteName).join(', ')];
  return [
    `GRANT USAGE ON SCHEMA ${list} TO ${role};`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${list} TO ${role};`,
    `GRANT SELECT ON ALL SEQUENCES IN SCHEMA ${list} TO ${role};`,
  ].join('\n');
}

function grantsEverywhere({ name }: RoleOrder): string {
  const role = literal(name);
  return inBlock(`DECLARE
  one name;
BEGIN
  FOR one IN SELECT n.nspname FROM pg_catalog.pg_namespace n WHERE ${inSchemas([])} ORDER BY 1 LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', one, ${role});
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', one, ${role});
    EXECUTE format('GRANT SELECT ON ALL SEQUENCES IN SCHEMA %I TO %I', one, ${role});
  END LOOP;
END`);
}

/**
 * Default privileges depend on who creates a table: set for every current owner, and for the application's own role.
 */
function grantsLater({ name, schemas, applicationUser }: RoleOrder): string {
  const role = literal(name);
  const place = schemas.length === 0 ? '' : ` IN SCHEMA ${schemas.map(quoteName).join(', ')}`;
  // A percent sign is special to format().
  const later = (what: string): string =>
    `    EXECUTE format(${literal(`ALTER DEFAULT PRIVILEGES FOR ROLE %I${place.replaceAll('%', '%%')} GRANT ${what} TO %I`)}, one, ${role});`;
  const whole = schemas.length === 0 ? [later('USAGE ON SCHEMAS')] : [];
  return `-- What is made later by those who own something here, can be read too.
${inBlock(`DECLARE
  one name;
BEGIN
  FOR one IN
    SELECT r.rolname FROM pg_catalog.pg_roles r
     WHERE r.rolname !~ '^pg_' AND r.rolname <> ${role}
       AND (r.oid = (SELECT d.datdba FROM pg_catalog.pg_database d WHERE d.datname = current_database())
         OR r.oid IN (SELECT n.nspowner FROM pg_catalog.pg_namespace n WHERE ${inSchemas(schemas)})
         OR r.oid IN (SELECT c.relowner FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                       WHERE ${inSchemas(schemas)})${applicationUser === undefined ? '' : `\n         OR r.rolname = ${literal(applicationUser)}`})
     ORDER BY 1
  LOOP
    BEGIN
${[...whole, later('SELECT ON TABLES'), later('SELECT ON SEQUENCES')].map((line) => `  ${line}`).join('\n')}
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE WARNING 'What % makes later will not be readable: run this script as that role or as a superuser.', one;
    END;
  END LOOP;
END`)}`;
}

function tellMore({ name }: RoleOrder): string {
  return `-- What others have granted to everybody, this role has too: that is listed, not changed.
${inBlock(`DECLARE
  found text;
BEGIN
  SELECT left(string_agg(format('%I.%I', n.nspname, c.relname), ', ' ORDER BY n.nspname, c.relname), 500) INTO found
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p', 'v', 'f') AND ${inSchemas([])}
     AND has_table_privilege(${literal(name)}, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE');
  IF found IS NOT NULL THEN
    RAISE WARNING 'Through PUBLIC or another role, this role may write: %', found;
  END IF;
END`)}`;
}

/** Not part of the script, because it would take something from other applications. */
function whatPublicMay({ database }: RoleOrder): string {
  return sqlComment(
    'Everybody may do the following through PUBLIC, so this role may too. DevDB runs reads alone and rolls them back; to',
    'close these ways for other programs as well, look first whether an application needs them:',
    `  REVOKE TEMPORARY ON DATABASE ${quoteName(database)} FROM PUBLIC;`,
    '  REVOKE CREATE ON SCHEMA public FROM PUBLIC;              (is so from PostgreSQL 15 on)',
    '  REVOKE EXECUTE ON FUNCTION pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea)',
    '    FROM PUBLIC;                                           (large objects)',
    '  REVOKE EXECUTE ON FUNCTION ... FROM PUBLIC;              (each of your own that is SECURITY DEFINER and writes)',
  );
}

/** A condition on `pg_namespace n`. */
function inSchemas(schemas: readonly string[]): string {
  if (schemas.length === 0) return `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;
  return `n.nspname IN (${schemas.map(literal).join(', ')})`;
}

/** An anonymous block, quoted with a tag that does not occur in its text. */
function inBlock(body: string): string {
  let mark = '$devdb$';
  while (body.includes(mark)) mark = mark.replace(/\$$/, '_$');
  return `DO ${mark}\n${body}\n${mark};`;
}
