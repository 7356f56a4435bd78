/** Of the documents that show tables' definitions. */
export const TABLE_SCHEME = 'devdb-table';
