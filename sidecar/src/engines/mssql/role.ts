import { type RoleOrder, type RoleWriter, schemasOption, sqlComment } from '../role.ts';
import { literal, quoteName } from './quote.ts';

const MOST_NAME_CHARS = 128;
/** Marks users we created: the script's DENYs would stop one that the application uses. */
const MARK = 'made by devdb role';

/** The reading login on SQL Server. */
export const mssqlRole: RoleWriter = { nameProblem, schemasOf, script };

function nameProblem(name: string): string | undefined {
  if (name.length > MOST_NAME_CHARS) return `is longer than ${MOST_NAME_CHARS} characters`;
  // CREATE LOGIN would take this for a Windows name.
  return name.includes('\\') ? 'holds a backslash, which a login of SQL Server cannot' : undefined;
}

function schemasOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  return schemasOption(options, ['schema', 'currentschema']);
}

/**
 * One batch, because clients continue after a GO when an error occurs. One transaction, so that the login never lacks
 * its DENYs.
 */
function script(order: RoleOrder): string {
  const work = [makeLogin(order), grants(order), denials(order)].join('\n\n');
  const parts = [introduction(order), checks(order), BEGIN, work, commit(order), otherwise(order), 'GO'];
  return parts.join('\n\n');
}

const BEGIN = `DECLARE @hadLogin bit, @statement nvarchar(max) = N'', @problem nvarchar(2000);
BEGIN TRY
BEGIN TRANSACTION;`;

/** The script says what exists afterwards, on the first run and on every later one. */
function commit({ name }: RoleOrder): string {
  const [kept, made] = [
    `Done. The login ${name} was there already and keeps its password; its user has its rights and denials.`,
    `Done. The login ${name} was made, with its user, its rights and its denials.`,
  ];
  return `COMMIT TRANSACTION;
IF @hadLogin = 1 PRINT ${literal(kept)};
IF @hadLogin = 0 PRINT ${literal(made)};
END TRY`;
}

function otherwise({ name }: RoleOrder): string {
  const text = literal(name);
  return `BEGIN CATCH
SET @problem = ERROR_MESSAGE();
IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION;
SET @statement = CASE WHEN SUSER_ID(${text}) IS NULL THEN N'There is no login of this name' ELSE N'The login was there before' END
  + CASE WHEN DATABASE_PRINCIPAL_ID(${text}) IS NULL THEN N', and no user of it in the database.' ELSE N', and so was its user in the database, with the rights that it had.' END;
SET @statement = N'Nothing was changed, all of it was taken back: ' + @problem + N' ' + @statement;
THROW 50000, @statement, 1;
END CATCH;`;
}

function introduction({ name, database, schemas }: RoleOrder): string {
  const where = schemas.length === 0 ? 'all schemas' : `the schemas ${schemas.map(quoteName).join(', ')}`;
  return sqlComment(
    `A login that reads and does not write: ${quoteName(name)} in the database ${quoteName(database)} of SQL Server 2016 or newer.`,
    '',
    `It gets: SELECT on the tables and views of ${where}, those that are made later too; VIEW DEFINITION and SHOWPLAN,`,
    'to see how they are made and how a query would run.',
    'It is denied: INSERT, UPDATE, DELETE, ALTER, TAKE OWNERSHIP, and EXECUTE in every schema of the database.',
    'No other role loses a right.',
    '',
    'To run it: write a password into the line marked below, then, as a login of the role securityadmin that owns',
    'the database, or as sysadmin (-x leaves $(...) as it stands):',
    '  sqlcmd -x -b -f 65001 -S server -i role.sql',
    'It is done as a whole or not at all, and says which. It can be run again, for schemas that came since: a login that is',
    'there keeps its password and what it has.',
  );
}

function checks({ name, database }: RoleOrder): string {
  const text = literal(name);
  return `SET NOCOUNT, XACT_ABORT ON;
DECLARE @password nvarchar(128) = N'';  -- <-- HERE: the password, between the quotes; a quote in it is written twice

IF LTRIM(RTRIM(@password)) = N''
BEGIN
  THROW 50000, N'Nothing was done: write a password into this script first.', 1;
END;

USE ${quoteName(database)};

IF ISNULL(DB_ID(${literal(database)}), 0) <> DB_ID()
BEGIN
  THROW 50000, N'Nothing was done: the database of this script was not found.', 1;
END;
IF DATABASE_PRINCIPAL_ID(${text}) IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM sys.extended_properties AS p
   WHERE p.class = 4 AND p.major_id = DATABASE_PRINCIPAL_ID(${text}) AND p.name = ${literal(MARK)})
BEGIN
  THROW 50000, N'Nothing was done: there is a user of this name that this script did not make. Print it with another --name.', 1;
END;`;
}

function makeLogin({ name, database }: RoleOrder): string {
  const [login, text] = [quoteName(name), literal(name)];
  return `SET @hadLogin = CASE WHEN SUSER_ID(${text}) IS NULL THEN 0 ELSE 1 END;
IF SUSER_ID(${text}) IS NULL
BEGIN
  SET @statement = ${literal(`CREATE LOGIN ${login} WITH PASSWORD = N'`)} + REPLACE(@password, N'''', N'''''')
    + ${literal(`', DEFAULT_DATABASE = ${quoteName(database)}, CHECK_POLICY = ON;`)};
  EXEC (@statement);
END;
IF DATABASE_PRINCIPAL_ID(${text}) IS NULL
BEGIN
  CREATE USER ${login} FOR LOGIN ${login};
  EXEC sys.sp_addextendedproperty @name = ${literal(MARK)}, @value = N'', @level0type = N'USER', @level0name = ${text};
END;
-- The user of a login that was dropped and made again has no login.
IF NOT EXISTS (SELECT 1 FROM sys.database_principals AS u WHERE u.name = ${text} AND u.sid = SUSER_SID(${text}))
BEGIN
  ALTER USER ${login} WITH LOGIN = ${login};
END;`;
}

function grants({ name, schemas }: RoleOrder): string {
  const user = quoteName(name);
  const reads =
    schemas.length === 0
      ? [`ALTER ROLE [db_datareader] ADD MEMBER ${user};`, `GRANT VIEW DEFINITION TO ${user};`]
      : schemas.map((schema) => `GRANT SELECT, VIEW DEFINITION ON SCHEMA::${quoteName(schema)} TO ${user};`);
  return [...reads, `GRANT SHOWPLAN TO ${user};`].join('\n');
}

function denials({ name }: RoleOrder): string {
  const user = quoteName(name);
  return `DENY INSERT, UPDATE, DELETE, ALTER, TAKE OWNERSHIP TO ${user};
-- Schema by schema: denied in the database as a whole, it would take the server's own procedures too, which drivers need.
SET @statement = N'';
SELECT @statement += N'DENY EXECUTE ON SCHEMA::' + QUOTENAME(s.name) + ${literal(` TO ${user}; `)}
  FROM sys.schemas AS s WHERE s.schema_id = 1 OR s.schema_id BETWEEN 5 AND 16383;
EXEC (@statement);`;
}
