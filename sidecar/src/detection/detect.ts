import { isAbsolute, join } from 'node:path';
import { toWire } from '@devdb/shared/errors';
import { nameText, type PlainText, pathText, plain } from '@devdb/shared/plain-text';
import type { FileTarget, ServerTarget } from '../engines/engine.ts';
import { notLocal } from '../host/foreign-file.ts';
import type { LogEvent } from '../host/log.ts';
import { defaultsInCode, leavesToCode, withoutTemplates } from './code-defaults.ts';
import type { ContainerDaemon } from './container-daemon.ts';
import type { Detection, Detector, Finding, Pinned, Skipped } from './detector.ts';
import { driversWithoutDatabase, saysWhy } from './driver-packages.ts';
import { withoutExamples } from './example-folders.ts';
import { insideContainer } from './inside-container.ts';
import { MAX_APP_FOLDERS, MAX_DETECTED_DATABASES, MAX_SKIPPED } from './limits.ts';
import { filesNamedIn, type NamedFile } from './option-files.ts';
import { type ProcessEnv, ProjectView } from './project-view.ts';
import { inReach, onThisMachine, withApplicationsDatabase, withServersDatabase } from './reach.ts';
import { mostSharedFirst } from './shared-databases.ts';
import { withEnvironment, withNamedTwice, withoutFallbacks } from './source-environment.ts';
import { type Trace, traceOf } from './trace.ts';
import { withoutUndrivenFiles } from './undriven-files.ts';
import { withoutWorkersFiles } from './worker-files.ts';

/** A finding with its real location. */
export interface Found extends Finding {
  /** The real path of a database file; a server as written. */
  readonly target: FileTarget | ServerTarget;
  /** A database file outside the project, also through a link inside it. */
  readonly outside: boolean;
  /** The target as displayed: a relative path inside the project; never a password. */
  readonly shown: PlainText;
  /** Files outside the project that the connection's options name, with links resolved. */
  readonly outsideFiles: readonly NamedFile[];
}

export interface DetectionResult {
  readonly found: readonly Found[];
  readonly skipped: readonly Skipped[];
  readonly pinned: Pinned | undefined;
  /** A cheap check whether another run could give another result. */
  readonly traces: readonly Trace[];
  /** Whether running containers were asked for: what they say changes without any file. */
  readonly askedContainers?: boolean | undefined;
}

/** What one detector found, and the files it looked at. */
export type DetectionPart = DetectionResult;

/** Called during a run. */
export interface DetectionWatch {
  /** Before a file is read; without a file, before a detector runs. */
  at(detector: string, file: string | undefined): void;
  /** Results since the last call. Host names of a compose network are not yet resolved in them. */
  part(part: DetectionPart): Promise<void>;
}

export interface DetectOptions {
  readonly projectRoot: string;
  readonly detectors: readonly Detector[];
  readonly now: () => number;
  /** The process's variables, for what the project's files do not set. */
  readonly env?: ProcessEnv | undefined;
  /** Inside a container the names of its network are reachable directly. */
  readonly insideContainer?: boolean | undefined;
  /** What may be asked for the ports of running containers. */
  readonly containers?: ContainerDaemon | undefined;
  readonly log: LogEvent;
  /** Databases known without the project's files. */
  readonly given?: Detection | undefined;
  readonly watch?: DetectionWatch | undefined;
}

/** Runs every detector and sorts the findings. A failing detector does not stop the others. */
export async function detect(options: DetectOptions, signal: AbortSignal): Promise<DetectionResult> {
  let running = '';
  const onRead = (file: string): void => options.watch?.at(running, file);
  const { env, containers, log } = options;
  const project = await ProjectView.open(options.projectRoot, options.now, { env, onRead, containers, log });
  if (project === undefined) return withoutProject(options);
  const parts = new Parts(project, options.watch);
  await parts.add(options.given ?? { found: [], skipped: [] });
  for (const detector of options.detectors) {
    signal.throwIfAborted();
    running = detector.name;
    options.watch?.at(running, undefined);
    await parts.add(await runOne(detector, project, options.log, signal));
  }
  return await parts.result(options.insideContainer === true, signal);
}

/** The results of the detectors, one after the other. */
class Parts {
  readonly #project: ProjectView;
  readonly #watch: DetectionWatch | undefined;
  readonly #findings: Finding[] = [];
  readonly #skipped: Skipped[] = [];
  #pinned: Pinned | undefined;
  #toldTraces = 0;

  constructor(project: ProjectView, watch: DetectionWatch | undefined) {
    this.#project = project;
    this.#watch = watch;
  }

  async add({ found: every, skipped, pinned }: Detection): Promise<void> {
    const found = every.map((one) => withEnvironment(one, this.#project.root));
    this.#findings.push(...found);
    this.#skipped.push(...atMost(skipped));
    this.#pinned ??= pinned;
    if (this.#watch === undefined) return;
    const placed = await placeAll(this.#project, found);
    const { traces } = this.#project;
    await this.#watch.part({
      ...placed,
      skipped: [...atMost(skipped), ...placed.skipped],
      pinned,
      traces: traces.slice(this.#toldTraces),
    });
    this.#toldTraces = traces.length;
  }

  async result(inContainer: boolean, signal: AbortSignal): Promise<DetectionResult> {
    const project = this.#project;
    const skipped = [...this.#skipped];
    if ((await project.appFolders(signal)).cut) {
      const reason = `only ${MAX_APP_FOLDERS} folders were searched for application settings`;
      skipped.push({ file: '.', reason });
    }
    const reached: Finding[] = [];
    for (const written of await withoutWorkersFiles(project, inOrder(this.#findings), signal)) {
      const finding = onThisMachine(written, inContainer);
      const one = inContainer
        ? { found: await insideContainer(finding) }
        : inReach(finding, await project.compose(signal));
      if ('found' in one) reached.push(one.found);
      else skipped.push(one.skipped);
    }
    const placed = await placeAll(
      project,
      inOrder(mostSharedFirst(withServersDatabase(withApplicationsDatabase(reached)))),
    );
    const known = {
      found: await withoutExamples(project, placed.found, signal),
      skipped: [...skipped, ...placed.skipped],
    };
    const used = withoutFallbacks(known.found, known.skipped);
    const driven = await withoutUndrivenFiles(project, used, signal);
    const { found: own, skipped: copied } = await withoutTemplates(project, driven.found, signal);
    const left = [...known.skipped, ...copied];
    const found = hasDefault(own) ? own : withNamedTwice(own, left);
    const settled = { found, skipped: hasDefault(found) ? left : [...left, ...driven.skipped] };
    const all = hasDefault(settled.found) ? settled : await this.#lastResort(settled, signal);
    return {
      ...all,
      pinned: this.#pinned,
      traces: project.traces,
      askedContainers: project.containers.asked,
    };
  }

  /** Where no settings say what the default is: what the program's code says, and a sentence in any case. */
  async #lastResort(settled: Settled, signal: AbortSignal): Promise<Settled> {
    const inCode = await defaultsInCode(this.#project, settled.found, signal);
    if (leavesToCode(settled)) {
      const placed = await placeAll(this.#project, inCode.found);
      const skipped = [...settled.skipped, ...inCode.skipped, ...placed.skipped];
      if (placed.found.length > 0) return { found: [...settled.found, ...placed.found], skipped };
      if (inCode.skipped.length > 0) return { ...settled, skipped };
    }
    if (saysWhy(settled)) return settled;
    return { ...settled, skipped: [...settled.skipped, ...(await driversWithoutDatabase(this.#project, signal))] };
  }
}

interface Settled {
  readonly found: readonly Found[];
  readonly skipped: readonly Skipped[];
}

function hasDefault(found: readonly Found[]): boolean {
  return found.some(({ neverDefault, environment }) => neverDefault === undefined && environment === undefined);
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => a.priority - b.priority).slice(0, MAX_DETECTED_DATABASES);
}

async function placeAll(
  project: ProjectView,
  findings: readonly Finding[],
): Promise<{ readonly found: Found[]; readonly skipped: Skipped[] }> {
  const found: Found[] = [];
  const skipped: Skipped[] = [];
  for (const finding of findings) {
    const placed = await place(project, finding);
    if (typeof placed === 'string') skipped.push({ ...leftOut(finding), reason: placed });
    else found.push(placed);
  }
  return { found, skipped };
}

function leftOut({ source: { file, line } }: Finding): Pick<Skipped, 'file' | 'line' | 'mistake'> {
  return { file, line, mistake: true };
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
    { file: skipped[MAX_SKIPPED]?.file ?? '.', reason: `and ${more} more like this` },
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

/** The finding's real location, or a sentence for a path that is not on this machine. */
async function place(project: ProjectView, finding: Finding): Promise<Found | string> {
  if (!('file' in finding.target)) {
    const { host, port, database } = finding.target;
    const shownHost = host.includes(':') && !host.startsWith('/') ? `[${host}]` : host;
    const outsideFiles = await filesOutside(project, finding.target.options);
    const shown = plain`${pathText(shownHost)}:${port}/${nameText(database)}`;
    return { ...finding, outside: false, outsideFiles, shown };
  }
  const wrong = notLocal(finding.target.file);
  if (wrong !== undefined && !project.contains(finding.target.file)) return `${finding.id}: the path ${wrong}`;
  const { file, inside } = await project.locate(finding.target.file);
  const shown = pathText(inside ? project.relative(file) : file);
  return { ...finding, target: { file }, outside: !inside, outsideFiles: [], shown };
}

async function filesOutside(
  project: ProjectView,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly NamedFile[]> {
  const outside: NamedFile[] = [];
  for (const { option, path } of filesNamedIn(options)) {
    if (notLocal(path) !== undefined) outside.push({ option, path });
    else {
      const { file, inside } = await project.locate(isAbsolute(path) ? path : join(project.root, path));
      if (!inside) outside.push({ option, path: file });
    }
  }
  return outside;
}
