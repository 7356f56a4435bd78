import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type AdvertiseProblem, Advertiser } from '../../src/clients/advertise/advertiser.ts';
import { AnswerRoom } from '../../src/dispatch/answer-room.ts';
import { HeldBytes } from '../../src/engines/held-bytes.ts';
import { homeAt } from '../../src/host/home.ts';
import { type Installation, openInstallation } from '../../src/project/installation.ts';
import { firstPortOf } from '../../src/registry/claim-port.ts';
import { driverDir } from './driver-dir.ts';

const NOBODY = 65_534;

/** One process and its projects, with everything it logged and reported. */
export interface LabProcess {
  readonly advertiser: Advertiser;
  readonly problems: readonly AdvertiseProblem[];
  readonly events: readonly { readonly event: string; readonly facts: unknown }[];
  show(settings?: LabSettings): Promise<void>;
  hide(): Promise<void>;
}

export interface LabSettings {
  readonly root?: string;
  readonly port?: number;
  readonly entry?: 'stdio' | 'http' | 'off';
  readonly inGit?: boolean;
  readonly trusted?: boolean;
}

/** A user's machine in a temporary folder: a DevDB home, Claude Code's file, a project. */
export class AdvertiseLab {
  readonly base: string;
  readonly root: string;
  readonly userHome: string;
  readonly env: Record<string, string>;
  readonly #bundleDir: string;

  constructor() {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-advertise-')));
    this.root = join(this.base, 'project');
    this.userHome = join(this.base, 'user');
    mkdirSync(this.root);
    mkdirSync(this.userHome);
    this.#bundleDir = driverDir(join(this.base, 'bundle'));
    // Without this machine's own Git settings.
    const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    this.env = { PATH: process.env['PATH'] ?? '', HOME: this.userHome, ...git };
  }

  get file(): string {
    return join(this.root, '.mcp.json');
  }

  get launcher(): string {
    return homeAt(join(this.base, 'home')).launcher;
  }

  /** Another process with the same home. */
  async process(env: Record<string, string> = this.env): Promise<LabProcess> {
    const problems: AdvertiseProblem[] = [];
    const events: { event: string; facts: unknown }[] = [];
    const { signal } = new AbortController();
    const installation: Installation = await openInstallation(
      {
        home: homeAt(join(this.base, 'home')),
        firstPort: firstPortOf(env),
        bundleDir: this.#bundleDir,
        held: new HeldBytes(),
        answers: new AnswerRoom(),
        log: (_level, event, facts) => events.push({ event, facts }),
      },
      signal,
    );
    const advertiser = new Advertiser({
      installation,
      machine: { platform: process.platform, userHome: this.userHome, env },
      running: { execPath: '/editor/code', isElectron: true },
      report: (problem) => problems.push(problem),
      signal,
    });
    const show = ({
      root = this.root,
      port = 50_001,
      entry = 'stdio',
      inGit = false,
      trusted = true,
    }: LabSettings = {}) => advertiser.show({ root, port, settings: { trusted, mcpJson: { entry, inGit } } });
    return { advertiser, problems, events, show, hide: () => advertiser.hide(this.root) };
  }

  write(path: string, text: string | Buffer, mode = 0o644): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  read(path = '.mcp.json'): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  /** Runs Git in the project, or in another folder of the lab. */
  git(...args: readonly string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(folder: string, ...args: readonly string[]): string {
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...who, ...args], { cwd: folder, env: this.env, encoding: 'utf8', stdio: 'pipe' });
  }

  /**
   * Root may write everywhere, so what a mode forbids is tried as another user, who owns everything but the project.
   */
  async asAnotherUser(act: () => Promise<void>): Promise<void> {
    if (process.getuid?.() !== 0) return act();
    for (const path of [this.base, ...readdirSync(this.base, { recursive: true, encoding: 'utf8' })])
      if (!path.startsWith('project')) chownSync(resolve(this.base, path), NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
    try {
      await act();
    } finally {
      process.seteuid?.(0);
    }
  }

  token(): string {
    return readFileSync(join(this.base, 'home', 'token'), 'utf8').trim();
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
