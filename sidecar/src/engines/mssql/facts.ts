import type { ToolOutput } from '@devdb/shared/tools';
import type { Database } from './database.ts';
import { askedAboutCatalog } from './errors.ts';
import { readProduct } from './product.ts';

/** The product and version of the server. */
export async function facts(database: Database, signal: AbortSignal): Promise<ToolOutput<'get-database-type'>> {
  const { isMicrosoft, name, version } = await askedAboutCatalog(() => database.looking(signal, readProduct));
  return { type: 'mssql', product: isMicrosoft ? name : `${name} (not Microsoft's SQL Server)`, version };
}
