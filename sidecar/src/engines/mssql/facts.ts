import type { ToolOutput } from '@devdb/shared/tools';
import { rows, text } from './catalog.ts';
import type { Database } from './database.ts';

const FACTS = `
SELECT CAST(SERVERPROPERTY('EngineEdition') AS int), CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)),
       CAST(SERVERPROPERTY('Edition') AS nvarchar(128))`;

/** Editions that are services, by the server's number. */
const SERVICES: Readonly<Record<number, string>> = {
  5: 'Azure SQL Database',
  6: 'Azure Synapse',
  8: 'Azure SQL Managed Instance',
  9: 'Azure SQL Edge',
  11: 'Azure Synapse serverless',
  12: 'Fabric SQL database',
};

/** What runs at the other end. */
export async function facts(database: Database, signal: AbortSignal): Promise<ToolOutput<'get-database-type'>> {
  const [edition, version, name] = rows(await database.ask(FACTS, {}, signal), 0)[0] ?? [];
  const service = SERVICES[Number(edition)];
  const product = service ?? (text(name) === '' ? 'SQL Server' : `SQL Server, ${text(name)}`);
  return { type: 'mssql', product, version: text(version) };
}
