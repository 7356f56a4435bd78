import { closeSync, openSync, writeSync } from 'node:fs';
import { type Connection, createConnection } from 'mysql2';
import pg from 'pg';
import { csvCell } from './raw-csv.ts';
import type { ServerDatabase } from './server-database.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export type ExportFormat = 'csv' | 'jsonl';

type Row = Readonly<Record<string, unknown>>;

/** The bare driver as in its manual: one open connection, rows as objects, values as the driver makes them. */
export interface RawServer {
  query(sql: string): Promise<readonly unknown[]>;
  /** Every row, passed on as it arrives. */
  eachRow(sql: string, onRow: (row: Row) => void): Promise<void>;
  close(): Promise<void>;
}

export function openRaw({ kind, address }: ServerDatabase): Promise<RawServer> {
  return kind === 'postgres' ? openPostgres(address) : openMysql(address);
}

async function openPostgres(address: ServerDatabase['address']): Promise<RawServer> {
  const client = new pg.Client({ ...address });
  await client.connect();
  return {
    query: async (sql) => (await client.query<Row>(sql)).rows,
    eachRow: (sql, onRow) =>
      new Promise((resolve, reject) => {
        const query = client.query(new pg.Query<Row>(sql));
        query.on('row', onRow);
        query.on('end', () => resolve());
        query.on('error', reject);
      }),
    close: () => client.end(),
  };
}

async function openMysql(address: ServerDatabase['address']): Promise<RawServer> {
  const connection: Connection = createConnection({ ...address });
  return {
    query: (sql) =>
      new Promise((resolve, reject) => {
        connection.query(sql, (error, rows) => {
          if (error !== null) reject(error);
          else resolve(Array.isArray(rows) ? rows : []);
        });
      }),
    eachRow: (sql, onRow) =>
      new Promise((resolve, reject) => {
        const query = connection.query(sql);
        query.on('result', (row: Row) => onRow(row));
        query.on('end', () => resolve());
        query.on('error', reject);
      }),
    close: () => new Promise((resolve, reject) => connection.end((error) => (error ? reject(error) : resolve()))),
  };
}

/** The simplest loop that writes every row to a file: the reference for an export. */
export async function exportRaw(server: RawServer, sql: string, format: ExportFormat, file: string): Promise<void> {
  const out = openSync(file, 'w');
  let chunk = '';
  let isFirst = true;
  const line = format === 'csv' ? csvLine : jsonLine;
  await server.eachRow(sql, (row) => {
    if (isFirst && format === 'csv') chunk = `${Object.keys(row).join(',')}\r\n`;
    isFirst = false;
    chunk += line(row);
    if (chunk.length < CHUNK_CHARACTERS) return;
    writeSync(out, chunk);
    chunk = '';
  });
  writeSync(out, chunk);
  closeSync(out);
}

function csvLine(row: Row): string {
  return `${Object.values(row).map(csvCell).join(',')}\r\n`;
}

function jsonLine(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}
