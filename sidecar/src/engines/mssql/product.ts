import type { DriverValue } from '../values.ts';
import { text } from './catalog.ts';
import type { ServerConnection } from './connection.ts';

/** The server's product. */
export interface Product {
  /** Other vendors' servers speak TDS too, and silently ignore what they do not support. */
  readonly isMicrosoft: boolean;
  readonly name: string;
  readonly version: string;
}

const PRODUCT = `
SELECT CAST(SERVERPROPERTY('EngineEdition') AS int), CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)),
       CAST(SERVERPROPERTY('Edition') AS nvarchar(128)), CAST(@@VERSION AS nvarchar(400)),
       CAST(SERVERPROPERTY('BabelfishVersion') AS nvarchar(128))`;

/** Editions that are services, by the server's number. */
const SERVICES: Readonly<Record<number, string>> = {
  5: 'Azure SQL Database',
  6: 'Azure Synapse',
  8: 'Azure SQL Managed Instance',
  9: 'Azure SQL Edge',
  11: 'Azure Synapse serverless',
  12: 'Fabric SQL database',
};

const MOST_NAME_CHARS = 64;

/** Asks the server what it is. A name it can give itself is no proof: others can configure theirs. */
export async function readProduct(connection: ServerConnection): Promise<Product> {
  let row: readonly DriverValue[] = [];
  await connection.run(PRODUCT, {
    row: (values) => {
      row = values;
    },
  });
  const [edition, version, name, banner, babelfish] = row;
  if (text(babelfish) !== '' || !/^Microsoft (?:SQL|Azure|Fabric)\b/.test(text(banner))) {
    return { isMicrosoft: false, name: plainName(text(banner), text(babelfish)), version: plain(text(version)) };
  }
  const service = SERVICES[Number(edition)];
  const product = service ?? (text(name) === '' ? 'SQL Server' : `SQL Server, ${plain(text(name))}`);
  return { isMicrosoft: true, name: product, version: plain(text(version)) };
}

function plainName(banner: string, babelfish: string): string {
  const [first = ''] = plain(banner).split(/ - | with /);
  if (first !== '' && !first.startsWith('Microsoft')) return first;
  return babelfish === '' ? 'an unnamed server' : `Babelfish ${plain(babelfish)}`;
}

/** The server's text for people and models: one line of plain characters. */
function plain(words: string): string {
  return words
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MOST_NAME_CHARS);
}
