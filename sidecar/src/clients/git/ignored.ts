import { join } from 'node:path';
import { type Effort, type IgnorePattern, lowered, matches, parsePatterns, TooSlow } from './ignore-pattern.ts';
import type { Repository } from './repository.ts';
import { readGitText, Undecided } from './undecided.ts';

/** Total size of the files read for one question. */
const MAX_RULE_BYTES = 512 * 1024;
const MAX_DEPTH = 64;
/** About 0.2 s; a thousand ordinary patterns take a tenth of it. */
const MAX_EFFORT = 500_000;

/** The patterns of one file, for paths below its folder: `''` or a path ending in a slash. */
interface Rules {
  readonly base: string;
  readonly patterns: readonly IgnorePattern[];
}

/**
 * Whether Git ignores an untracked file, judged by the repository's rules alone: a user's `core.excludesFile` has the
 * lowest priority and can only turn a no into a yes. False when uncertain, also for letters whose case may not matter.
 */
export function isIgnoredIn({ workTree, commonDir }: Repository, path: string): boolean {
  const bytes = Buffer.from(path, 'utf8').toString('latin1');
  const names = bytes.split('/');
  if (names.length > MAX_DEPTH) return false;
  const effort = { left: MAX_EFFORT };
  try {
    return [false, true].every((fold) => isLeftOut(readRules(workTree, commonDir, names, fold), names, effort, fold));
  } catch (error) {
    if (error instanceof Undecided || error instanceof TooSlow) return false;
    throw error;
  }
}

/** Lowest priority first: the repository's own file, then those of each folder on the way down. */
function readRules(workTree: string, commonDir: string, names: readonly string[], fold: boolean): Rules[] {
  let left = MAX_RULE_BYTES;
  const rulesOf = (file: string, base: string): Rules => {
    const text = readGitText(file, left) ?? '';
    left -= text.length;
    return { base: lowered(base, fold), patterns: parsePatterns(text, fold) };
  };
  const folders = names.slice(0, -1);
  return [
    rulesOf(join(commonDir, 'info', 'exclude'), ''),
    ...[undefined, ...folders.keys()].map((last) => {
      const base = last === undefined ? '' : `${folders.slice(0, last + 1).join('/')}/`;
      return rulesOf(join(workTree, Buffer.from(base, 'latin1').toString('utf8'), '.gitignore'), base);
    }),
  ];
}

/** Everything below an ignored folder is ignored too, whatever other rules say. */
function isLeftOut(rules: readonly Rules[], names: readonly string[], effort: Effort, fold: boolean): boolean {
  return names.some((_name, last) => {
    const path = lowered(names.slice(0, last + 1).join('/'), fold);
    const isFolder = last < names.length - 1;
    return decisive(rules, path, isFolder, effort)?.negated === false;
  });
}

/** The last pattern that matches the path, in the nearest file that has one. */
function decisive(rules: readonly Rules[], path: string, isFolder: boolean, effort: Effort): IgnorePattern | undefined {
  const lastName = path.slice(path.lastIndexOf('/') + 1);
  for (const { base, patterns } of rules.toReversed()) {
    if (!path.startsWith(base)) continue;
    const inside = path.slice(base.length);
    const found = patterns.findLast(
      (pattern) =>
        (isFolder || !pattern.foldersOnly) && matches(pattern, pattern.lastNameOnly ? lastName : inside, effort),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
