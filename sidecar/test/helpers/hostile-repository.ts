import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A cloned repository whose author set a trap for its readers' Git. */
export class HostileRepository {
  readonly clone: string;
  readonly #base: string;
  readonly #trap: string;

  constructor(base: string) {
    this.#base = base;
    this.clone = join(base, 'clone');
    this.#trap = join(base, 'trap.sh');
    writeFileSync(this.#trap, `#!/bin/sh\necho "$0 $*" >> '${this.#marker}'\nexit 1\n`, { mode: 0o755 });
    mkdirSync(this.clone);
    this.git(this.clone, 'init', '-q');
  }

  get #marker(): string {
    return join(this.#base, 'sprung');
  }

  /** What has run since the last call. */
  takeSprung(): string {
    const text = existsSync(this.#marker) ? readFileSync(this.#marker, 'utf8') : '';
    rmSync(this.#marker, { force: true });
    return text;
  }

  git(folder: string, ...args: readonly string[]): string {
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
    return execFileSync('git', [...who, ...args], { cwd: folder, env: this.env(), encoding: 'utf8', stdio: 'pipe' });
  }

  /** The user's own machine, with an unmodified Git. */
  env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#base,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
    };
  }

  /**
   * Makes a folder that looks like a bare repository with itself as its working tree. A blob in its index is missing,
   * and would be fetched from a remote whose program is the trap. Its settings name the trap wherever else they can.
   */
  bareLooking(folder: string, kind: 'lazy-fetch' | 'settings' | 'include'): void {
    const source = join(this.#base, 'source');
    rmSync(source, { recursive: true, force: true });
    mkdirSync(source);
    this.git(source, 'init', '-q');
    writeFileSync(join(source, '.gitignore'), 'never-fetched\n');
    this.git(source, 'add', '.');
    this.git(source, 'commit', '-q', '-m', 'first');
    const blob = this.git(source, 'rev-parse', 'HEAD:.gitignore').trim();
    // As after a sparse checkout: the rules file is read from the blob.
    this.git(source, 'update-index', '--skip-worktree', '.gitignore');
    rmSync(join(source, '.git', 'objects', blob.slice(0, 2)), { recursive: true });
    rmSync(join(source, '.git', 'hooks'), { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(join(source, '.git'), folder, { recursive: true });
    mkdirSync(join(folder, 'hooks'));
    for (const hook of ['post-index-change', 'pre-auto-gc', 'fsmonitor-watchman'])
      cpSync(this.#trap, join(folder, 'hooks', hook));
    writeFileSync(join(folder, 'config'), this.#config(kind));
    if (kind === 'include') writeFileSync(join(folder, 'more'), this.#config('settings'));
  }

  #config(kind: 'lazy-fetch' | 'settings' | 'include'): string {
    const core = '[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n';
    const remote = `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${this.#base}/nowhere\n\tpromisor = true\n\tpartialclonefilter = blob:none\n\tuploadpack = ${this.#trap}\n`;
    if (kind === 'lazy-fetch') return core + remote;
    if (kind === 'include') return `${core}[include]\n\tpath = more\n`;
    const programs = ['fsmonitor', 'sshCommand', 'pager', 'editor', 'askPass', 'gitProxy', 'alternateRefsCommand'];
    const settings = programs.map((name) => `\t${name} = ${this.#trap}\n`).join('');
    const aliases = ['check-ignore', 'ls-files', 'rev-parse', 'status'].map((name) => `\t${name} = !${this.#trap}\n`);
    const filter = `[filter "x"]\n\tclean = ${this.#trap}\n\tsmudge = ${this.#trap}\n\tprocess = ${this.#trap}\n\trequired = true\n`;
    return `${core}${settings}[alias]\n${aliases.join('')}${filter}${remote}`;
  }
}
