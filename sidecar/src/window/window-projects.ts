import { AppError, toWire } from '@devdb/shared/errors';
import { pathText, plain } from '@devdb/shared/plain-text';
import type { ProjectOutcome, ProjectSettings, WindowProject } from '@devdb/shared/protocol/handshake';
import type { SidecarStatus } from '@devdb/shared/protocol/sidecar-methods';
import type { Advertiser } from '../clients/advertise/advertiser.ts';
import type { DatabaseBook } from '../databases/database-book.ts';
import { DatabaseDesk } from '../databases/database-desk.ts';
import { databaseState } from '../databases/database-state.ts';
import { EditorKept } from '../databases/kept-databases.ts';
import { WatchedDatabases } from '../databases/watched-databases.ts';
import type { Activity } from '../dispatch/activity/activity.ts';
import type { Editor } from '../dispatch/editor.ts';
import type { HeldBytes } from '../engines/held-bytes.ts';
import { openEngine } from '../engines/index.ts';
import type { Log } from '../host/log.ts';
import type { Installation } from '../project/installation.ts';
import { type OpenedProject, openProject, type ProjectChoices } from '../project/open-project.ts';
import { projectBook } from '../project/project-book.ts';
import { isOn } from '../project/tool-selection.ts';
import { canonicalRoot } from '../registry/project-root.ts';
import type { PersonSink } from '../tools/run-for-person.ts';

export interface WindowProjectsParts {
  /** Not awaited before the pipe is read, so that the pipe's end is noticed even while the home is busy. */
  readonly installation: Promise<Installation>;
  readonly log: Log;
  readonly editor: Editor;
  /** Writes the projects into clients' configuration; opening a project does not wait for it. */
  readonly advertiser: Advertiser;
  /** The folder of the bundle's files. */
  readonly bundleDir: string;
  /** The memory budget for large values of all databases. */
  readonly held: HeldBytes;
  /** Takes the rows of what a person runs. */
  readonly personSink: (result: string) => PersonSink;
  /** Records the calls of agents in all projects. */
  readonly activity: Activity;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the window ends: projects that are still opening are abandoned. */
  readonly signal: AbortSignal;
}

/** A project of the window, with the settings it was opened with. */
interface Open {
  readonly project: OpenedProject;
  readonly book: DatabaseBook;
  readonly kept: EditorKept;
  readonly settings: ProjectSettings;
}

type Place = { readonly given: string } & ({ readonly root: string } | { readonly problem: string });

/** The folders of an editor window, each a project with its own listener, port and settings. */
export class WindowProjects {
  readonly #parts: WindowProjectsParts;
  readonly #open = new Map<string, Open>();
  readonly #problems = new Map<string, string>();
  #places: readonly Place[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: WindowProjectsParts) {
    this.#parts = parts;
  }

  /**
   * Serves exactly these folders from now on. Folders that stay are not interrupted when their settings change; only a
   * different fixed port needs a new listener.
   */
  set(projects: readonly WindowProject[]): Promise<ProjectOutcome[]> {
    // One at a time: of two concurrent changes the later one wins.
    const turn = this.#last.then(() => this.#set(projects));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** The project with this root; without a root the window's first, never another in its place. */
  find(root: string | undefined): OpenedProject {
    const [first] = this.#places;
    const wanted = root ?? (first && 'root' in first ? first.root : undefined);
    const found = wanted === undefined ? undefined : this.#open.get(wanted);
    if (found !== undefined) return found.project;
    const why = first && root === undefined ? this.#outcome(first) : undefined;
    if (why && 'problem' in why) throw new AppError('E_PROJECT_NOT_OPEN', why.problem);
    const what = root === undefined ? 'No project is open in this window.' : `${root} is not open in this window.`;
    throw new AppError('E_PROJECT_NOT_OPEN', what);
  }

  /** The databases of an open project. */
  bookOf(root: string): DatabaseBook | undefined {
    return this.#open.get(root)?.book;
  }

  /** Changes to the connections of an open project. */
  deskOf(root: string): DatabaseDesk {
    const open = this.#open.get(root);
    if (open === undefined) throw new AppError('E_PROJECT_NOT_OPEN', `${root} is not open in this window.`);
    if (!open.settings.trusted) {
      throw new AppError(
        'E_UNTRUSTED_WORKSPACE',
        'Connections cannot be added or changed: the workspace is not trusted.',
        {
          hint: 'Trust it with "Workspaces: Manage Workspace Trust".',
        },
      );
    }
    const { bundleDir, held } = this.#parts;
    const log = (event: string, facts: Readonly<Record<string, unknown>>) => this.#parts.log('info', event, facts);
    const context = { projectRoot: root, bundleDir, log, held };
    return new DatabaseDesk({ root, book: open.book, openEngine, context });
  }

  /** What the editor stores for this project has changed. */
  keptChanged(root: string): void {
    this.#open.get(root)?.kept.changed();
    this.#parts.editor.projectChanged(root);
  }

  /** The roots of the open projects. */
  get roots(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Each project with its default database, in the window's order. */
  async status(signal: AbortSignal): Promise<SidecarStatus['projects']> {
    const open = this.#places.flatMap((place) => ('root' in place ? (this.#open.get(place.root) ?? []) : []));
    return Promise.all(
      [...new Set(open)].map(async ({ project, book, settings }) => ({
        root: project.root,
        port: project.port,
        tools: project.gate.tools.map(({ name }) => name),
        database: settings.trusted ? await databaseState(book, signal) : { problem: 'The workspace is not trusted.' },
      })),
    );
  }

  /** Ends all of them. */
  async end(): Promise<void> {
    await this.#last;
    await this.#endAll([...this.#open.keys()]);
  }

  async #set(projects: readonly WindowProject[]): Promise<ProjectOutcome[]> {
    const wanted = new Map<string, ProjectSettings>();
    const places = projects.map(({ root: given, settings }): Place => {
      const found = canonicalRoot(given);
      if (!found.ok) return { given, problem: cannotBeServed(given, found.why) };
      // A folder listed twice, perhaps through a link, is one project with the settings of its first position.
      if (!wanted.has(found.root)) wanted.set(found.root, settings);
      return { given, root: found.root };
    });
    this.#places = places;
    this.#problems.clear();
    await this.#parts.installation;
    await this.#endAll([...this.#open.keys()].filter((root) => !wanted.has(root)));
    // In order, so that the first folder gets the first choice of ports.
    for (const [root, settings] of wanted) await this.#serve(root, settings);
    return places.map((place) => this.#outcome(place));
  }

  async #serve(root: string, settings: ProjectSettings): Promise<void> {
    const open = this.#open.get(root);
    try {
      if (open === undefined) return await this.#start(root, settings);
      if (needsAnotherPort(open, settings)) {
        await this.#endAll([root]);
        return await this.#start(root, settings);
      }
      await open.project.applySettings(choicesOf(settings));
      this.#open.set(root, { ...open, settings });
      this.#advertise(open.project, settings);
      this.#tellTokenless(open.project, settings.tokenless);
    } catch (error) {
      this.#parts.signal.throwIfAborted();
      this.#parts.log('error', 'project-not-opened', { root, error });
      this.#problems.set(root, `${root} could not be opened: ${toWire(error).message}`);
    }
  }

  async #start(root: string, settings: ProjectSettings): Promise<void> {
    const { activity, editor, env, personSink, signal } = this.#parts;
    const installation = await this.#parts.installation;
    const kept = new EditorKept({
      ask: (asking) => editor.kept(root, asking),
      now: Date.now,
      log: (event, facts) => installation.log('warn', event, { root, ...facts }),
    });
    const book = projectBook(installation, root, env, kept);
    const connections = new WatchedDatabases(book, () => editor.projectChanged(root));
    const { fixedPort, tokenless } = settings;
    const parts = { editor, connections, activity, personSink };
    const options = { ...choicesOf(settings), ...parts, root, kind: 'window', fixedPort } as const;
    const project = await openProject(installation, options, signal);
    this.#open.set(root, { project, book, kept, settings });
    this.#advertise(project, settings);
    this.#tellTokenless(project, tokenless);
    if (fixedPort !== undefined && project.port !== fixedPort) {
      const fixes = plain`Port ${fixedPort}, which Devdb.http.port fixes for ${pathText(root)},`;
      const message = plain`${fixes} is taken; DevDB listens on ${project.port} instead.`;
      editor.notify({ level: 'error', message, once: `fixed-port ${root} ${fixedPort}` });
    }
  }

  /** A listener that was asked for and is not there is reported: its client would look for it in vain. */
  #tellTokenless({ root, tokenlessPort }: OpenedProject, wanted: ProjectSettings['tokenless'] = 'off'): void {
    if (wanted === 'off' || tokenlessPort !== undefined) return;
    const why = plain`a port of its range is free, the workspace is trusted and the toolset ide is on`;
    const message = plain`No listener without a token for ${pathText(root)}: it opens when ${why}.`;
    this.#parts.editor.notify({ level: 'error', message, once: `tokenless ${root}` });
  }

  #advertise({ root, port }: OpenedProject, settings: ProjectSettings): void {
    // It never rejects, and hiding the project waits for it.
    void this.#parts.advertiser.show({ root, port, settings });
  }

  /** In parallel: each waits for calls that have to end. */
  async #endAll(roots: readonly string[]): Promise<void> {
    const ending = roots.flatMap((root) => {
      const open = this.#open.get(root);
      this.#open.delete(root);
      return open === undefined ? [] : [open.project.end(), this.#parts.advertiser.hide(root)];
    });
    const failures = (await Promise.allSettled(ending)).flatMap((end) =>
      end.status === 'rejected' ? [end.reason] : [],
    );
    for (const error of failures) this.#parts.log('error', 'project-not-ended', { error });
  }

  #outcome(place: Place): ProjectOutcome {
    if ('problem' in place) return { given: place.given, problem: place.problem };
    const { given, root } = place;
    const open = this.#open.get(root);
    if (open !== undefined) {
      const { port, tokenlessPort } = open.project;
      return { given, root, port, ...(tokenlessPort === undefined ? {} : { tokenlessPort }) };
    }
    return { given, problem: this.#problems.get(root) ?? `${root} is not open.` };
  }
}

/** A port that was taken when it was first tried is not tried again on every other change. */
function choicesOf(settings: ProjectSettings): ProjectChoices {
  const { tokenless, tokenlessPorts } = settings;
  return { settings, isOn: isOn(settings), tokenless, tokenlessPorts };
}

function needsAnotherPort({ project, settings: before }: Open, { fixedPort }: ProjectSettings): boolean {
  return fixedPort !== undefined && fixedPort !== before.fixedPort && fixedPort !== project.port;
}

function cannotBeServed(given: string, why: 'relative' | 'missing'): string {
  return why === 'missing' ? `${given} does not exist on this machine.` : `${given} is not an absolute path.`;
}
