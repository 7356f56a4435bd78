import { statSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from './names-in.ts';

/** A copy of the bundle in the home, `versions/<version>-<hash>`. */
export interface Copy {
  readonly name: string;
  readonly dir: string;
  readonly version: string;
  readonly modifiedMs: number;
}

const COPY_NAME = /^(.+)-[0-9a-f]{12}$/;

/** The copies in a folder, newest first: by version, then by time of last installation. */
export function listCopies(versionsDir: string): Copy[] {
  return namesIn(versionsDir)
    .flatMap((name) => copyOf(versionsDir, name))
    .sort((one, other) => compareVersions(other.version, one.version) || other.modifiedMs - one.modifiedMs);
}

function copyOf(versionsDir: string, name: string): Copy[] {
  const version = COPY_NAME.exec(name)?.[1];
  if (version === undefined) return [];
  const dir = join(versionsDir, name);
  const stats = statSync(dir, { throwIfNoEntry: false });
  return stats?.isDirectory() ? [{ name, dir, version, modifiedMs: stats.mtimeMs }] : [];
}

/** Negative when `one` is older. A pre-release (`1.2.0-beta.1`) comes before its release. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return (
    compareLists(a.numbers, b.numbers) ||
    Number(a.preRelease.length === 0) - Number(b.preRelease.length === 0) ||
    compareLists(a.preRelease, b.preRelease)
  );
}

function partsOf(version: string): { numbers: string[]; preRelease: string[] } {
  const [plain = ''] = version.split('+');
  const dash = plain.indexOf('-');
  if (dash < 0) return { numbers: plain.split('.'), preRelease: [] };
  return { numbers: plain.slice(0, dash).split('.'), preRelease: plain.slice(dash + 1).split('.') };
}

function compareLists(one: readonly string[], other: readonly string[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [a, b] = [one[at], other[at]];
    // If all before is equal, the longer one is newer.
    if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
    const order = comparePart(a, b);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers by value and before words, as in semantic versioning. */
function comparePart(one: string, other: string): number {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (a && b) return Number(one) - Number(other);
  if (a !== b) return a ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
