import { lstatSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { withTimeout } from '@devdb/shared/abort';
import { toWire } from '@devdb/shared/errors';
import { DOCTOR_TEST_TIMEOUT_MS } from '@devdb/shared/limits';
import type { PlainText } from '@devdb/shared/plain-text';
import type { ToolProblem } from '../custom-tools/custom-tool.ts';
import { readProjectTools } from '../custom-tools/read-custom-tools.ts';
import { type DatabaseBook, DEFAULT_RULE } from '../databases/database-book.ts';
import { noDefaultReason } from '../databases/database-errors.ts';
import { type Entry, placed } from '../databases/entry.ts';
import { type Suggestion, suggestionFrom } from '../databases/suggestion.ts';
import type { Skipped, Source } from '../detection/detector.ts';
import type { Session } from '../engines/engine.ts';
import { FILE_MODE, FOLDER_MODE, type Home } from '../host/home.ts';
import { nativeBindingFile } from '../host/native.ts';
import { LEAST_NODE, nodeProblem } from '../host/node-version.ts';
import { inQuotes } from '../host/prompt-words.ts';

/** The registry's entry for the project, and whether its sidecar answers. */
export type SidecarState =
  | { readonly state: 'not-registered' }
  | { readonly state: 'alive'; readonly port: number; readonly version: string }
  | { readonly state: 'silent'; readonly port: number; readonly why: string }
  | { readonly state: 'unknown'; readonly why: string };

export interface DoctorOptions {
  readonly projectRoot: string;
  readonly home: Home;
  readonly bundleDir: string;
  readonly version: string;
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  readonly book: DatabaseBook;
  readonly openSession: (entry: Entry) => Promise<Session>;
  readonly probe: (projectRoot: string, signal: AbortSignal) => Promise<SidecarState>;
  readonly signal: AbortSignal;
}

export type ConnectionTest =
  | {
      readonly state: 'works';
      readonly product: string;
      readonly version: string;
      readonly guard: string;
      readonly guardReason: string;
      readonly tables: number;
      readonly ms: number;
    }
  | { readonly state: 'failed'; readonly code: string; readonly message: string; readonly hint?: string | undefined }
  | { readonly state: 'not-tried'; readonly reason: string };

export interface ConnectionReport {
  readonly id: PlainText;
  readonly type: string;
  readonly target: PlainText;
  readonly source: Source;
  readonly isDefault: boolean;
  readonly test: ConnectionTest;
}

/** What the project's folder of custom tools contains. */
export interface OwnToolsReport {
  /** Tools that were read, including disabled ones. */
  readonly read: number;
  readonly problems: readonly ToolProblem[];
}

/** Something that is wrong, and what to do about it. */
export interface Trouble {
  readonly what: string;
  readonly next: string;
}

export interface DoctorReport {
  readonly ok: boolean;
  readonly projectRoot: string;
  readonly version: string;
  readonly node: string;
  readonly home: { readonly dir: string; readonly exists: boolean };
  readonly bundle: { readonly dir: string; readonly complete: boolean };
  readonly sidecar: SidecarState;
  readonly lookedFor: DatabaseBook['lookedFor'];
  readonly rule: string;
  readonly connections: readonly ConnectionReport[];
  readonly skipped: readonly Skipped[];
  readonly tools: OwnToolsReport;
  readonly troubles: readonly Trouble[];
  /** Where there is no default: what to write into `.devdbrc`. */
  readonly suggestion?: Suggestion | undefined;
}

/** Reports what was looked for, found and left out, and tests every database it may test. 0: the default one works. */
export async function doctor(options: DoctorOptions): Promise<{ report: DoctorReport; exitCode: 0 | 1 }> {
  const { projectRoot, home, bundleDir, version, nodeVersion, book, signal } = options;
  const state = await orTrouble(() => book.state(signal), signal);
  const entries = 'value' in state ? state.value.entries : [];
  const connections: ConnectionReport[] = [];
  // One at a time, so that each failure stays identifiable on a machine short of resources.
  for (const entry of entries) connections.push(await examine(entry, options));
  const tools = await readProjectTools(projectRoot, signal);
  const sidecar = await options.probe(projectRoot, withTimeout(signal, DOCTOR_TEST_TIMEOUT_MS));
  const bundle = { dir: bundleDir, complete: isFile(nativeBindingFile(bundleDir)) };
  const homeState = { dir: home.dir, exists: modeOf(home.dir) !== undefined };
  const ok = connections.some(({ isDefault, test }) => isDefault && test.state === 'works');
  const troubles = [
    ...nodeTroubles(nodeVersion),
    ...homeTroubles(home, options.platform),
    ...bundleTroubles(bundle),
    ...sidecarTroubles(sidecar, projectRoot),
    ...('value' in state ? state.value.skipped.flatMap(mistakeTroubles) : [state.trouble]),
    ...connections.flatMap((connection) => connectionTroubles(connection, projectRoot)),
    ...('value' in state ? defaultTroubles(entries, projectRoot) : []),
    ...tools.problems.map(toolTrouble),
  ];
  const all = 'value' in state ? state.value.skipped : [];
  const skipped = all.map(placed);
  const hasDefault = entries.some((entry) => entry.isDefault);
  const suggestion = hasDefault ? undefined : suggestionFrom(all);
  const own = { read: tools.tools.length, problems: tools.problems };
  const found = { lookedFor: book.lookedFor, rule: DEFAULT_RULE, connections, skipped, tools: own };
  const report = {
    ok,
    projectRoot,
    version,
    node: nodeVersion,
    home: homeState,
    bundle,
    sidecar,
    ...found,
    troubles,
    suggestion,
  };
  return { report, exitCode: ok ? 0 : 1 };
}

async function examine(entry: Entry, options: DoctorOptions): Promise<ConnectionReport> {
  const { id, kind, shown, source, isDefault } = entry;
  return { id, type: kind, target: shown, source, isDefault, test: await test(entry, options) };
}

async function test(entry: Entry, { book, openSession, signal }: DoctorOptions): Promise<ConnectionTest> {
  if (!entry.trusted) return { state: 'not-tried', reason: `it needs an approval: ${entry.needsTrust ?? ''}` };
  const deadline = withTimeout(signal, DOCTOR_TEST_TIMEOUT_MS);
  const began = performance.now();
  try {
    const session = await openSession(await book.find(entry.id, deadline));
    try {
      const { product, version } = await session.facts(deadline);
      const tables = (await session.tables(deadline)).length;
      const { strength: guard, reason: guardReason } = session.guard;
      return {
        state: 'works',
        product,
        version,
        guard,
        guardReason,
        tables,
        ms: Math.round(performance.now() - began),
      };
    } finally {
      await session.end();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) {
      const message = `The database did not answer within ${DOCTOR_TEST_TIMEOUT_MS / 1000} seconds.`;
      return { state: 'failed', code: 'E_TIMEOUT', message, hint: 'Check whether another program holds it locked.' };
    }
    const { code, message, hint } = toWire(error);
    return { state: 'failed', code, message, hint };
  }
}

async function orTrouble<T>(
  run: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ readonly value: T } | { readonly trouble: Trouble }> {
  try {
    return { value: await run() };
  } catch (error) {
    signal.throwIfAborted();
    const { message, hint } = toWire(error);
    return { trouble: { what: message, next: hint ?? 'Run it again; the DevDB log has the details.' } };
  }
}

function mistakeTroubles({ file, line, reason, mistake }: Skipped): Trouble[] {
  if (!mistake) return [];
  const what = `${file}${line === undefined ? '' : ` line ${line}`}: ${reason}.`;
  return [{ what, next: 'Correct it there; no restart is needed.' }];
}

function toolTrouble({ file, line, reason }: ToolProblem): Trouble {
  const what = `${file}${line === undefined ? '' : ` line ${line}`}: ${reason}.`;
  return { what, next: 'Correct the file, then open the project again: its tools are read when it opens.' };
}

function nodeTroubles(version: string): Trouble[] {
  const what = nodeProblem(version, LEAST_NODE, 'DevDB');
  return what === undefined ? [] : [{ what, next: `Run it with Node ${LEAST_NODE} or newer.` }];
}

function homeTroubles(home: Home, platform: NodeJS.Platform): Trouble[] {
  // Windows has no such modes; the rights of the user's profile folder protect it.
  if (platform === 'win32') return [];
  const expected = [
    [home.dir, FOLDER_MODE] as const,
    ...[home.registry, home.ports, home.token, home.trust].map((file) => [file, FILE_MODE] as const),
  ];
  return expected.flatMap(([path, mode]) => {
    const now = modeOf(path);
    if (now === 'hidden')
      return [{ what: `${path} cannot be inspected.`, next: 'The folder above it must belong to you.' }];
    if (now === undefined || (now & ~mode) === 0) return [];
    const what = `${path} has mode ${now.toString(8)}: other users can read it.`;
    return [{ what, next: `Run \`chmod ${mode.toString(8)} ${inQuotes(path)}\`.` }];
  });
}

function modeOf(path: string): number | 'hidden' | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && stats.mode & 0o777;
  } catch {
    // No permission, or a file in place of a folder: either way the user has to look into it.
    return 'hidden';
  }
}

function bundleTroubles({ dir, complete }: DoctorReport['bundle']): Trouble[] {
  if (complete) return [];
  const what = `The SQLite driver for this platform (${basename(nativeBindingFile(dir))}) is missing in ${dir}.`;
  return [{ what, next: 'Install the DevDB package for this platform again.' }];
}

function sidecarTroubles(sidecar: SidecarState, projectRoot: string): Trouble[] {
  if (sidecar.state === 'alive') return [];
  const next = `Open the folder in VS Code, or run \`devdb serve --project ${inQuotes(projectRoot)}\`.`;
  if (sidecar.state === 'unknown') {
    return [{ what: `Whether a window has this project open is not known: ${sidecar.why}`, next }];
  }
  if (sidecar.state === 'not-registered') {
    return [{ what: 'No window has this project open, so agents cannot reach it.', next }];
  }
  return [{ what: `Port ${sidecar.port} is registered for this project but does not serve it: ${sidecar.why}`, next }];
}

function connectionTroubles({ id, test: tested, isDefault }: ConnectionReport, projectRoot: string): Trouble[] {
  if (tested.state === 'failed') {
    return [{ what: `${id}: ${tested.message}`, next: tested.hint ?? 'Correct its settings where it was found.' }];
  }
  if (tested.state === 'not-tried' && !isDefault) {
    const next = `To use it, approve it once: \`devdb trust --project ${inQuotes(projectRoot)} --connection "${id}"\`.`;
    return [{ what: `${id} was not tried: ${tested.reason}.`, next }];
  }
  return [];
}

function defaultTroubles(entries: readonly Entry[], projectRoot: string): Trouble[] {
  if (entries.some((entry) => entry.isDefault)) return [];
  const asking = entries.some(({ needsTrust }) => needsTrust !== undefined);
  const [first] = entries;
  if (first && !asking) {
    const what = `There is no default database: ${first.id} is not taken for it, because ${noDefaultReason(first)}.`;
    return [{ what, next: `To make it the default, write [{"default":"${first.id}"}] into .devdbrc.` }];
  }
  if (entries.length > 0) {
    const next = `Approve one with \`devdb trust --project ${inQuotes(projectRoot)}\`, or name a local one in .devdbrc.`;
    return [{ what: 'There is no default database: every database found needs approval.', next }];
  }
  const next = 'Name one in a file .devdbrc in the project, e.g. [{"type":"sqlite","path":"data/app.db"}].';
  return [{ what: 'No database was found.', next }];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
