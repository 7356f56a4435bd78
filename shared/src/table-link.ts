/** What a link names: a table of a project that is open. Without a connection its default database is meant. */
export interface TableLink {
  readonly root: string;
  readonly connection: string | undefined;
  readonly table: string;
}

/**
 * The address of a table, for what opens links in an editor (`vscode://devdb.devdb/open`). The editor decodes it once
 * before anybody can tell `&` from `%26`, so it is encoded twice.
 */
export function linkTo(opener: string, { root, connection, table }: TableLink): string {
  const parts = { root, ...(connection === undefined ? {} : { connection }), table };
  const query = Object.entries(parts).map(([name, text]) => `${name}=${encodeURIComponent(encodeURIComponent(text))}`);
  return `${opener}?${query.join('&')}`;
}
