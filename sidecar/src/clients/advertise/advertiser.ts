import { join } from 'node:path';
import type { ProjectSettings } from '@devdb/shared/protocol/handshake';
import { FROM_MCP_JSON, WRITTEN_HEADERS } from '@devdb/shared/protocol/http';
import { hasCode } from '../../host/error-code.ts';
import { NotReplaceable, targetWithin } from '../../host/replace-file.ts';
import type { Installation } from '../../project/installation.ts';
import type { HeldFile } from '../../registry/file-lock.ts';
import { type GitFacts, gitFacts } from '../git/git-facts.ts';
import { RETRACT_TIMEOUT_MS } from '../limits.ts';
import { clientFile, type Machine, type Server } from '../setup/clients.ts';
import { fitNode, type NodeCommand, type RunningNode } from '../setup/fit-node.ts';
import { httpServer } from '../setup/http-server-entry.ts';
import { shadowingEntry } from './claude-config.ts';
import { coverFolder, ifUncovered } from './coverage.ts';
import type { WantedLine } from './exclude.ts';
import { exclude, FILE_NAME, include, lookAt, type PutOutcome, putEntry, takeBack } from './mcp-json.ts';
import { type AdvertiseRecord, readRecords, readWholeRecords } from './records.ts';

/** An open project, and what its settings want in its `.mcp.json`. */
export interface AdvertisedProject {
  readonly root: string;
  readonly port: number;
  readonly settings: Pick<ProjectSettings, 'mcpJson' | 'trusted'>;
}

/** A message for the user, shown once per key. */
export interface AdvertiseProblem {
  readonly key: string;
  readonly message: string;
}

export interface AdvertiserParts {
  /** Awaited before anything is done, so it may still be opening. */
  readonly installation: Installation | Promise<Installation>;
  readonly machine: Machine;
  readonly running: RunningNode;
  readonly report: (problem: AdvertiseProblem) => void;
  /** Aborts when the process ends: anything not written by then stays unwritten. */
  readonly signal: AbortSignal;
}

const TOKEN_VARIABLE = 'DEVDB_TOKEN';

/**
 * Keeps an entry for DevDB in the `.mcp.json` of every open project, where Claude Code finds it, and removes it when
 * the last process serving the project ends. Nothing waits for it, and its failures only reach the log.
 */
export class Advertiser {
  readonly #parts: AdvertiserParts;
  readonly #covers = new Map<string, HeldFile>();
  readonly #turns = new Map<string, Promise<void>>();
  readonly #shown = new Map<string, string>();
  readonly #reported = new Set<string>();
  #node: Promise<NodeCommand> | undefined;

  constructor(parts: AdvertiserParts) {
    this.#parts = parts;
  }

  /** Brings the file in line with the project's settings. Resolves when done; never rejects. */
  show(project: AdvertisedProject): Promise<void> {
    return this.#inTurn(project.root, this.#parts.signal, (installation) => this.#show(installation, project));
  }

  /** Serves the folder without writing an entry, but keeps those of others in place while it does. Never rejects. */
  cover(root: string): Promise<void> {
    return this.#inTurn(root, this.#parts.signal, (installation) => this.#cover(installation, root));
  }

  /** The project is no longer served here: removes its entry, unless another process serves it. Never rejects. */
  hide(root: string): Promise<void> {
    const signal = AbortSignal.timeout(RETRACT_TIMEOUT_MS);
    return this.#inTurn(root, signal, (installation) => this.#hide(installation, root, signal));
  }

  /** One change at a time per folder: of two concurrent ones the later wins. */
  #inTurn(root: string, signal: AbortSignal, act: (installation: Installation) => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(root) ?? Promise.resolve()).then(async () => {
      const installation = await this.#opened();
      if (installation === undefined) return;
      try {
        await act(installation);
      } catch (error) {
        this.#shown.delete(root);
        if (!signal.aborted) logFailure(installation, root, error);
      }
    });
    this.#turns.set(root, turn);
    return turn;
  }

  /** Undefined when the home could not be opened: then nothing is served, and the opener reports the cause. */
  async #opened(): Promise<Installation | undefined> {
    try {
      return await this.#parts.installation;
    } catch {
      return undefined;
    }
  }

  async #show(installation: Installation, project: AdvertisedProject): Promise<void> {
    const { root, settings } = project;
    if (this.#shown.get(root) === JSON.stringify(project)) return;
    this.#shown.set(root, JSON.stringify(project));
    // Nothing is written into an untrusted workspace.
    if (settings.mcpJson.entry === 'off' || !settings.trusted)
      return this.#hide(installation, root, this.#parts.signal);
    await this.#cover(installation, root);
    const path = join(root, FILE_NAME);
    const target = targetWithin([root], path);
    if (target.file === undefined) {
      await this.#takeBack(installation, root, true);
      return this.#tellLeftAlone(path, target.reason);
    }
    const { file } = target;
    const git = gitFacts(file);
    if (!(await this.#mayWrite(installation, project, file, git))) return;
    const outcome = await this.#write(installation, project, file, git);
    installation.log('info', 'mcp-json', { root, file, ...outcome });
    if (outcome.state === 'written' || outcome.state === 'same') await this.#checkShadow(installation, root);
    else this.#tellOutcome(path, outcome);
  }

  async #mayWrite(installation: Installation, project: AdvertisedProject, file: string, git: GitFacts) {
    const { root, settings } = project;
    const record = await this.#record(installation, root, this.#parts.signal);
    if (git.kind === 'tracked' && !settings.mcpJson.inGit) {
      await this.#takeBack(installation, root, record?.inGit !== true);
      installation.log('info', 'mcp-json-left-alone', { root, file, why: 'Git tracks it; see Devdb.mcpJson.inGit' });
      return false;
    }
    if (git.kind === 'unknown' && !settings.mcpJson.inGit) {
      const why = `whether Git tracks it is unclear: ${git.why}`;
      this.#tellLeftAlone(join(root, FILE_NAME), `${why}. Devdb.mcpJson.inGit writes it anyway`);
      installation.log('warn', 'mcp-json-left-alone', { root, file, why });
      return false;
    }
    const seen = lookAt(file, record !== undefined);
    if (seen.state === 'unreadable' || seen.state === 'foreign') this.#tellOutcome(join(root, FILE_NAME), seen);
    return seen.state !== 'unreadable' && seen.state !== 'foreign' && seen.state !== 'kept';
  }

  async #write(
    installation: Installation,
    { root, port, settings }: AdvertisedProject,
    file: string,
    git: GitFacts,
  ): Promise<PutOutcome> {
    const { lock } = installation;
    const { signal, machine } = this.#parts;
    const { entry: kind, inGit } = settings.mcpJson;
    if (inGit) await lock.run(signal, () => include(installation, root));
    else if (git.kind === 'untracked' && git.exclude !== undefined)
      await this.#exclude(installation, root, file, { ...git.exclude, isNeeded: !git.ignored });
    const holdsToken = kind === 'http' && isPrivate(file);
    const server =
      kind === 'http' ? httpEntry(installation, root, port, holdsToken) : await this.#stdioServer(installation);
    if (kind === 'http' && !holdsToken) this.#tellVariable(join(root, FILE_NAME));
    const entry = clientFile('claude', machine).entry(server);
    return lock.run(signal, () => putEntry(installation, { root, file, entry, holdsToken, inGit }));
  }

  /** If a repository's exclude file cannot be written, Git shows one more untracked file; that is all. */
  async #exclude(installation: Installation, root: string, file: string, wanted: WantedLine): Promise<void> {
    try {
      await installation.lock.run(this.#parts.signal, () => exclude(installation, root, file, wanted));
    } catch (error) {
      this.#parts.signal.throwIfAborted();
      const why = error instanceof NotReplaceable ? error.message : undefined;
      installation.log('warn', 'git-exclude-left-alone', {
        root,
        file: wanted.file,
        ...(why === undefined ? { error } : { why }),
      });
      if (why !== undefined) this.#tellExclude(wanted, why);
    }
  }

  async #hide(installation: Installation, root: string, signal: AbortSignal): Promise<void> {
    this.#shown.delete(root);
    const record = await this.#record(installation, root, signal);
    if (record === undefined && !this.#covers.has(root)) return;
    const isTracked = record !== undefined && gitFacts(record.file).kind === 'tracked';
    await installation.lock.run(signal, () => {
      this.#covers.get(root)?.close();
      this.#covers.delete(root);
      const leaveFile = isTracked && record?.inGit !== true;
      ifUncovered(installation, root, () => takeBack(installation, root, leaveFile));
    });
  }

  /** The window keeps serving the folder, but the file is no longer ours to write. */
  async #takeBack({ lock, home, onBroken }: Installation, root: string, leaveFile: boolean): Promise<void> {
    await lock.run(this.#parts.signal, () => takeBack({ home, onBroken }, root, leaveFile));
  }

  async #cover(installation: Installation, root: string): Promise<void> {
    if (this.#covers.has(root)) return;
    await installation.lock.run(this.#parts.signal, () => {
      const held = coverFolder(installation, root);
      if (held !== undefined) this.#covers.set(root, held);
    });
  }

  async #record(
    { lock, home, onBroken }: Installation,
    root: string,
    signal: AbortSignal,
  ): Promise<AdvertiseRecord | undefined> {
    // Most of the turns in the home would be for this alone, and hundreds of windows wait in line for theirs.
    return (readWholeRecords(home) ?? (await lock.run(signal, () => readRecords(home, onBroken))))[root];
  }

  async #stdioServer({ home }: Installation): Promise<Server> {
    const { machine, running, signal } = this.#parts;
    this.#node ??= fitNode(machine.env, running, signal);
    const { command, env } = await this.#node;
    return { kind: 'stdio', command, args: [home.launcher, FROM_MCP_JSON], env };
  }

  async #checkShadow({ log }: Installation, root: string): Promise<void> {
    const { machine, signal } = this.#parts;
    const shadow = await shadowingEntry(machine, root, signal);
    if (shadow === undefined) return;
    log('warn', 'mcp-json-shadowed', { root, ...shadow });
    this.#tell(
      `mcp-json-shadowed ${root}`,
      `Claude Code uses another "devdb" than DevDB: ${shadow.file} has one for ${shadow.project}, which comes before ${join(root, FILE_NAME)}. To use DevDB, run in that folder: claude mcp remove --scope local devdb`,
    );
  }

  #tellOutcome(path: string, outcome: Exclude<PutOutcome, { state: 'written' | 'same' }>): void {
    if (outcome.state === 'unreadable') this.#tellLeftAlone(`${path}:${outcome.line}`, outcome.reason);
    if (outcome.state === 'foreign')
      this.#tellLeftAlone(path, 'its entry "devdb" starts another program; give that entry another name');
  }

  #tellLeftAlone(where: string, reason: string): void {
    this.#tell(
      `mcp-json ${where}`,
      `DevDB could not add itself to ${FILE_NAME}: ${where} was left unchanged: ${reason}. Correct that and run "DevDB: Restart".`,
    );
  }

  #tellExclude({ file, line }: WantedLine, why: string): void {
    this.#tell(
      `git-exclude ${file}`,
      `DevDB did not add ${line} to ${file}: ${why}. Git shows the file as new while the project is open.`,
    );
  }

  #tellVariable(path: string): void {
    this.#tell(
      `mcp-json-token ${path}`,
      `${path} may be shared through Git, so it names \${${TOKEN_VARIABLE}} in place of DevDB's token: set that variable to the contents of the file token in DevDB's home folder before Claude Code starts, or set Devdb.mcpJson.entry to stdio.`,
    );
  }

  #tell(key: string, message: string): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#parts.report({ key, message });
  }
}

/** Checked after the exclude file has changed, since a repository's own rules override it. */
function isPrivate(file: string): boolean {
  const git = gitFacts(file);
  return git.kind === 'none' || (git.kind === 'untracked' && git.ignored);
}

function httpEntry({ token }: Installation, projectRoot: string, port: number, holdsToken: boolean): Server {
  const server = httpServer({ projectRoot, port }, holdsToken ? token.open() : `\${${TOKEN_VARIABLE}}`);
  return { ...server, headers: { ...server.headers, [WRITTEN_HEADERS.from]: FILE_NAME } };
}

function logFailure({ log }: Installation, root: string, error: unknown): void {
  const why = error instanceof NotReplaceable ? error.message : undefined;
  // A folder made read-only is the user's choice, not an error.
  const isDenied = why !== undefined || hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENOSPC');
  log(isDenied ? 'warn' : 'error', 'mcp-json-left-alone', { root, ...(why === undefined ? { error } : { why }) });
}
