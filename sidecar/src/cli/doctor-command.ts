import { plainJson } from '@devdb/shared/plain-text';
import type { DatabaseBook } from '../databases/database-book.ts';
import { HeldBytes } from '../engines/held-bytes.ts';
import { openEngine } from '../engines/index.ts';
import type { Home } from '../host/home.ts';
import type { Log } from '../host/log.ts';
import type { Secret } from '../host/secret.ts';
import { readToken } from '../host/token.ts';
import { VERSION } from '../host/version.ts';
import { readRegistry } from '../registry/read-registry.ts';
import { type Command, projectOption, textOption } from './command.ts';
import { type DoctorReport, doctor, type SidecarState } from './doctor.ts';
import { renderDoctor } from './doctor-text.ts';
import { explain } from './explain.ts';
import { sentenceOf } from './sentence-of.ts';
import { statusOf } from './status.ts';
import { withBook } from './with-book.ts';

/** `devdb doctor`. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'doctor --project DIR [--json | --explain PATH]',
  summary:
    'Reports which databases were looked for, what was found where, what was skipped and why, and tests the connections.',
  help: [
    '  --json          for programs',
    '  --explain PATH  what was read from one file, line by line; connects to nothing',
    '',
    'Exit code 0 when the default database works, else 1.',
  ],
  options: { project: { type: 'string' }, json: { type: 'boolean' }, explain: { type: 'string' } },
  run: (values, _positionals, context) => {
    const projectRoot = projectOption(values);
    const { env, print } = context;
    return withBook(projectRoot, context, async ({ book, log }, signal) => {
      const path = textOption(values, 'explain');
      if (path !== undefined) {
        print(await explain(projectRoot, path, await book.state(signal)));
        return 0;
      }
      const { report, exitCode } = await doctorOf(
        { ...context, projectRoot, book, log, held: new HeldBytes() },
        signal,
      );
      const color = process.stdout.isTTY === true && env['NO_COLOR'] === undefined;
      print(values.get('json') === true ? plainJson(JSON.stringify(report)) : renderDoctor(report, { color }));
      return exitCode;
    });
  },
};

export interface DoctorParts {
  readonly projectRoot: string;
  readonly home: Home;
  readonly bundleDir: string;
  readonly book: DatabaseBook;
  readonly log: Log;
  readonly held: HeldBytes;
}

/** Examines a project with this build's engines, on this machine. */
export function doctorOf(
  { projectRoot, home, bundleDir, book, log, held }: DoctorParts,
  signal: AbortSignal,
): Promise<{ report: DoctorReport; exitCode: 0 | 1 }> {
  const engineContext = {
    projectRoot,
    bundleDir,
    held,
    log: (event: string, facts: Readonly<Record<string, unknown>>) => log('debug', event, facts),
  };
  return doctor({
    projectRoot,
    home,
    bundleDir,
    version: VERSION,
    nodeVersion: process.version,
    platform: process.platform,
    book,
    openSession: (entry) => openEngine(entry.kind, entry.target, engineContext),
    probe: (root, probing) => sidecarState(home, root, probing),
    signal,
  });
}

async function sidecarState(home: Home, root: string, signal: AbortSignal): Promise<SidecarState> {
  const read = readHome(home, root);
  if ('why' in read) return { state: 'unknown', why: read.why };
  const { port, token } = read;
  if (port === undefined) return { state: 'not-registered' };
  const found = await statusOf(root, port, token, signal);
  if (!found.alive) return { state: 'silent', port, why: found.problem ?? 'It does not answer.' };
  return { state: 'alive', port, version: found.version ?? 'unknown' };
}

/** Reporting damaged files is doctor's job, so one does not end it. */
function readHome(home: Home, root: string): { port: number | undefined; token: Secret | undefined } | { why: string } {
  try {
    return { port: readRegistry(home)[root], token: readToken(home) };
  } catch (error) {
    return { why: sentenceOf(error) };
  }
}
