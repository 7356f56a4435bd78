import { isSqliteKeyword } from './keywords.ts';

/** An identifier, quoted for any statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The same, without quotes where none are needed: for texts that people and models read. */
export function readableName(name: string): string {
  return /^[A-Za-z_][\w$]*$/.test(name) && !isSqliteKeyword(name) ? name : quoteName(name);
}
