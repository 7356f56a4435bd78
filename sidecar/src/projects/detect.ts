import { toWire } from '@devdb/shared/errors';
import { MAX_APP_FOLDERS, MAX_DETECTED_DATABASES, MAX_SKIPPED } from '@devdb/shared/limits';
import { nameText, type PlainText, pathText, plain } from '@devdb/shared/plain-text';
import type { FileTarget, ServerTarget } from '../engines/engine.ts';
import type { LogEvent } from '../host/log.ts';
import type { Detection, Detector, Finding, Pinned, Skipped } from './detector.ts';
import { type ProcessEnv, ProjectView } from './project-view.ts';
import { inReach } from './reach.ts';
import { type Trace, traceOf } from './trace.ts';

/** A finding whose place in the world is known. */
export interface Found extends Finding {
  /** The real path of a database file; a server as it was written. */
  readonly target: FileTarget | ServerTarget;
  /** A database file outside the project, also when a link inside leads there. */
  readonly outside: boolean;
  /** How the target is shown: relative inside the project; never a password. */
  readonly shown: PlainText;
}

export interface DetectionResult {
  readonly found: readonly Found[];
  readonly skipped: readonly Skipped[];
  readonly pinned: Pinned | undefined;
  /** Tells cheaply whether another run could have another result. */
  readonly traces: readonly Trace[];
}

export interface DetectOptions {
  readonly projectRoot: string;
  readonly detectors: readonly Detector[];
  readonly now: () => number;
  /** The variables of the process, for what the project's files do not set. */
  readonly env?: ProcessEnv | undefined;
  /** Inside a container the names of its network can be reached as they are. */
  readonly insideContainer?: boolean | undefined;
  readonly log: LogEvent;
}

/** Runs every detector and puts what they found into its order. One that fails does not take the others with it. */
export async function detect(options: DetectOptions, signal: AbortSignal): Promise<DetectionResult> {
  const project = await ProjectView.open(options.projectRoot, options.now, options.env);
  if (project === undefined) return withoutProject(options);
  const findings: Finding[] = [];
  const skipped: Skipped[] = [];
  let pinned: Pinned | undefined;
  for (const detector of options.detectors) {
    signal.throwIfAborted();
    const part = await runOne(detector, project, options.log, signal);
    skipped.push(...atMost(part.skipped));
    findings.push(...part.found);
    pinned ??= part.pinned;
  }
  if ((await project.appFolders(signal)).cut) {
    skipped.push({
      file: '.',
      reason: `only ${MAX_APP_FOLDERS} folders were looked into for settings of applications`,
    });
  }
  const found: Found[] = [];
  for (const finding of findings.sort((a, b) => a.priority - b.priority).slice(0, MAX_DETECTED_DATABASES)) {
    const reached = options.insideContainer ? { found: finding } : inReach(finding, await project.compose(signal));
    if ('found' in reached) found.push(await place(project, reached.found));
    else skipped.push(reached.skipped);
  }
  return { found, skipped, pinned, traces: project.traces };
}

function withoutProject({ projectRoot, now }: DetectOptions): DetectionResult {
  const reason = 'the project folder is gone or cannot be read by this user';
  return {
    found: [],
    skipped: [{ file: '.', reason, mistake: true }],
    pinned: undefined,
    traces: [traceOf(projectRoot, 'identity', now())],
  };
}

function atMost(skipped: readonly Skipped[]): readonly Skipped[] {
  const more = skipped.length - MAX_SKIPPED;
  if (more <= 0) return skipped;
  return [
    ...skipped.slice(0, MAX_SKIPPED),
    { file: skipped[MAX_SKIPPED]?.file ?? '.', reason: `and ${more} more of the kind` },
  ];
}

async function runOne(
  detector: Detector,
  project: ProjectView,
  log: DetectOptions['log'],
  signal: AbortSignal,
): Promise<Detection> {
  try {
    return await detector.detect(project, signal);
  } catch (error) {
    signal.throwIfAborted();
    log('detector failed', { detector: detector.name, error });
    const reason = `the detector ${detector.name} failed (${toWire(error).code}); the DevDB log has the details`;
    return { found: [], skipped: [{ file: detector.looksFor[0] ?? '.', reason }] };
  }
}

async function place(project: ProjectView, finding: Finding): Promise<Found> {
  if (!('file' in finding.target)) {
    const { host, port, database } = finding.target;
    const shownHost = host.includes(':') && !host.startsWith('/') ? `[${host}]` : host;
    return { ...finding, outside: false, shown: plain`${pathText(shownHost)}:${port}/${nameText(database)}` };
  }
  const { file, inside } = await project.locate(finding.target.file);
  return { ...finding, target: { file }, outside: !inside, shown: pathText(inside ? project.relative(file) : file) };
}
