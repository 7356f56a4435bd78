import { nameText, type PlainText, pathText, plain, plainJson, sentenceText } from '@devdb/shared/plain-text';
import * as z from 'zod';
import type { Home } from '../host/home.ts';
import type { Secret } from '../host/secret.ts';
import { readToken } from '../host/token.ts';
import { ConnectionFailed } from '../registry/connection-failed.ts';
import { ProvenConnection } from '../registry/proven-connection.ts';
import { readRegistry } from '../registry/read-registry.ts';

/** Longer than sidecars give each other: a person waits for the answer, and the machine may be busy. */
const ANSWER_MS = 3_000;

/** One project of the registry, as found now. */
export interface ProjectStatus {
  readonly projectRoot: string;
  readonly port: number;
  readonly alive: boolean;
  readonly pid?: number | undefined;
  readonly version?: string | undefined;
  /** An editor window, or `devdb serve`. */
  readonly kind?: string | undefined;
  /** A sentence on why it is not alive. */
  readonly problem?: string | undefined;
}

export interface StatusOptions {
  readonly home: Home;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

const healthSchema = z.object({
  version: z.string().catch('unknown'),
  pid: z.int().optional(),
  kind: z.string().optional(),
});

/** `devdb status`: the projects open now, as text or JSON. Throws when the registry or the token is broken. */
export async function status({ home, json, signal }: StatusOptions): Promise<string> {
  const found = await projectStatuses(home, signal);
  return json ? plainJson(JSON.stringify({ home: home.dir, projects: found })) : statusText(found);
}

/** Asks every sidecar in the registry whether it is alive, all at once. */
async function projectStatuses(home: Home, signal: AbortSignal): Promise<readonly ProjectStatus[]> {
  const token = readToken(home);
  const entries = Object.entries(readRegistry(home));
  return Promise.all(entries.map(([projectRoot, port]) => statusOf(projectRoot, port, token, signal)));
}

/** Asks the sidecar that the registry names for one project. */
export async function statusOf(
  projectRoot: string,
  port: number,
  token: Secret | undefined,
  signal: AbortSignal,
): Promise<ProjectStatus> {
  const known = { projectRoot, port };
  if (token === undefined)
    return { ...known, alive: false, problem: "There is no token in DevDB's home, so no sidecar is running." };
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const connection = await ProvenConnection.open({ port, root: projectRoot, token }, inTime);
    try {
      return { ...known, alive: true, ...healthSchema.parse(await connection.wholeHealth(inTime)) };
    } finally {
      connection.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConnectionFailed)) throw error;
    return { ...known, alive: false, problem: inTime.aborted ? 'It does not respond in time.' : error.message };
  }
}

function statusText(found: readonly ProjectStatus[]): string {
  if (found.length === 0)
    return 'No project is open. Open one in VS Code with the DevDB extension, or run: devdb serve --project DIR';
  const rows = found.map(({ projectRoot, port, alive, pid, version, kind }) => [
    pathText(projectRoot),
    plain`${port}`,
    alive ? plain`yes` : plain`no`,
    pid === undefined ? plain`-` : plain`${pid}`,
    nameText(version ?? '-'),
    nameText(kind ?? '-'),
  ]);
  const problems = found.flatMap(({ projectRoot, problem }) =>
    problem === undefined ? [] : [plain`${pathText(projectRoot)}: ${sentenceText(problem)}`],
  );
  return [...table([HEADINGS, ...rows]), ...remarks(problems)].join('\n');
}

const HEADINGS = [plain`PROJECT`, plain`PORT`, plain`ALIVE`, plain`PID`, plain`VERSION`, plain`KIND`];

function remarks(problems: readonly PlainText[]): string[] {
  if (problems.length === 0) return [];
  return ['', ...problems, 'A stale entry is replaced when its project is opened again.'];
}

function table(rows: readonly (readonly PlainText[])[]): string[] {
  const widths = rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
