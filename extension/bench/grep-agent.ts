import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GrepSearch, Subject } from './code-project.ts';

/** Lines above and below a hit: enough to see the function it stands in and what its names are. */
const AROUND = 20;
const LINE = /^(.+?):(\d+):(.*)$/;

/** What an agent sent and got back in one call. */
export interface Exchange {
  readonly sent: string;
  readonly answer: string;
}

/** What an agent had to do for an answer, and which lines it then knew. */
export interface Work {
  readonly exchanges: readonly Exchange[];
  /** `path:line` of the calls among what it read. */
  readonly found: ReadonlySet<string>;
  /** `path:line` of what it has to take for a call and is none. */
  readonly wrong: ReadonlySet<string>;
}

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Answers with searches alone: every line found that is no comment is taken for a use. */
export async function searchOnly(root: string, ripgrep: string, subject: Subject): Promise<Work> {
  const { exchanges, hits } = await search(root, ripgrep, subject.searches);
  const lines = hits.map(({ path, line }) => `${path}:${line}`);
  return {
    exchanges,
    found: new Set(lines.filter((line) => subject.calls.has(line))),
    wrong: new Set(lines.filter((line) => !subject.calls.has(line) && !subject.mentions.has(line))),
  };
}

/**
 * Answers with searches, then reads around every hit to see who calls and whose name it is; a file that imports the
 * symbol under another name is read whole. Judges without mistake what it has read.
 */
export async function searchAndRead(root: string, ripgrep: string, subject: Subject): Promise<Work> {
  const { exchanges, hits } = await search(root, ripgrep, subject.searches);
  const byPath = Map.groupBy(hits, ({ path }) => path);
  const found = new Set<string>();
  const reads = [...byPath].map(([path, inFile]) => {
    const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n');
    const isWhole = inFile.some(({ text }) => / as /.test(text));
    const numbers = inFile.map(({ line }) => line);
    const first = isWhole ? 1 : Math.max(1, Math.min(...numbers) - AROUND);
    const last = isWhole ? lines.length : Math.min(lines.length, Math.max(...numbers) + AROUND);
    for (let line = first; line <= last; line += 1) {
      if (subject.calls.has(`${path}:${line}`)) found.add(`${path}:${line}`);
    }
    const shown = lines.slice(first - 1, last).map((text, at) => `${first + at}\t${text}`);
    const sent = { file_path: join(root, path), offset: first, limit: last - first + 1 };
    return { sent: JSON.stringify(sent), answer: shown.join('\n') };
  });
  return { exchanges: [...exchanges, ...reads], found, wrong: new Set() };
}

async function search(
  root: string,
  ripgrep: string,
  searches: readonly GrepSearch[],
): Promise<{ exchanges: readonly Exchange[]; hits: readonly Hit[] }> {
  const exchanges: Exchange[] = [];
  const hits = new Map<string, Hit>();
  let wanted: ReadonlySet<string> | undefined;
  for (const { pattern, folder, narrows = false } of searches) {
    const args = ['--line-number', '--no-heading', '--sort=path', '--regexp', pattern, folder];
    const { stdout } = await promisify(execFile)(ripgrep, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
    const sent = { pattern, path: join(root, folder), output_mode: 'content', '-n': true };
    exchanges.push({ sent: JSON.stringify(sent), answer: stdout });
    const found = stdout.split('\n').flatMap(hitOf);
    if (narrows) wanted = new Set(found.map(({ path }) => path));
    else for (const hit of found) hits.set(`${hit.path}:${hit.line}`, hit);
  }
  const kept = [...hits.values()].filter(({ path, text }) => !isComment(text) && (wanted?.has(path) ?? true));
  return { exchanges, hits: kept };
}

function hitOf(row: string): Hit[] {
  const [, path, line, text] = LINE.exec(row) ?? [];
  return path === undefined || text === undefined ? [] : [{ path, line: Number(line), text }];
}

/** What the line itself tells needs no look. */
function isComment(text: string): boolean {
  return /^\s*(\/\/|\*|\/\*)/.test(text);
}
