import { readdirSync } from 'node:fs';
import { hasCode } from './error-code.ts';

/** The names in a folder of the home; none where it does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
