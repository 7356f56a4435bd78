import { closeSync, openSync, writeSync } from 'node:fs';
import type Database from 'better-sqlite3';

const CHUNK_CHARACTERS = 64 * 1024;

/** The simplest loop that writes a query as RFC 4180 CSV: the reference for an export. */
export function writeRawCsv(database: Database.Database, sql: string, file: string): void {
  const statement = database.prepare(sql).raw();
  const out = openSync(file, 'w');
  let chunk = `${statement
    .columns()
    .map(({ name }) => name)
    .join(',')}\r\n`;
  for (const row of statement.iterate()) {
    if (!Array.isArray(row)) throw new Error('A raw row is an array.');
    chunk += `${row.map(csvCell).join(',')}\r\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    writeSync(out, chunk);
    chunk = '';
  }
  writeSync(out, chunk);
  closeSync(out);
}

/** One cell, quoted where necessary. */
export function csvCell(value: unknown): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
