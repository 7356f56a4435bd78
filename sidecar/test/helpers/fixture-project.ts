import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BookOptions, DatabaseBook } from '../../src/databases/database-book.ts';
import { Trust } from '../../src/databases/trust.ts';
import { type DetectOptions, detect } from '../../src/detection/detect.ts';
import { DETECTORS } from '../../src/detection/index.ts';
import { type ProcessEnv, ProjectView } from '../../src/detection/project-view.ts';
import type { EngineKind } from '../../src/engines/engine.ts';
import { type Home, homeAt } from '../../src/host/home.ts';
import { HomeLock } from '../../src/registry/home-lock.ts';
import { driverDir } from './driver-dir.ts';
import { runSql } from './temp-project.ts';

const FIXTURES = join(__dirname, '../../../fixtures/projects');

/** The parts of a project's book that a test replaces. */
export interface BookParts
  extends Partial<Pick<BookOptions, 'trust' | 'env' | 'now' | 'kept' | 'detectors'>>,
    Partial<Pick<DetectOptions, 'insideContainer' | 'containers' | 'log'>> {
  readonly supported?: readonly EngineKind[];
}

/** A copy of a sample project, with its own home and a folder outside the project. */
export class FixtureProject {
  readonly root: string;
  readonly outside: string;
  readonly home: Home;
  /** Contains the SQLite driver as a bundle does. */
  readonly bundleDir: string;
  readonly #base: string;

  constructor(fixture?: string) {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-project-')));
    this.root = join(this.#base, 'project');
    this.outside = join(this.#base, 'outside');
    this.home = homeAt(join(this.#base, 'home'));
    this.bundleDir = driverDir(join(this.#base, 'bundle'));
    mkdirSync(this.root);
    mkdirSync(this.outside);
    if (fixture !== undefined) cpSync(join(FIXTURES, fixture), this.root, { recursive: true });
  }

  write(file: string, text: string | Uint8Array): string {
    const path = join(this.root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Makes a SQLite database with one table; an absolute path may be outside the project. */
  database(file: string, sql = 'CREATE TABLE users (id INTEGER PRIMARY KEY)'): string {
    const path = file.startsWith('/') ? file : join(this.root, file);
    mkdirSync(dirname(path), { recursive: true });
    return runSql(path, sql);
  }

  async view(env: ProcessEnv = {}): Promise<ProjectView> {
    const view = await ProjectView.open(this.root, Date.now, { env });
    if (!view) throw new Error(`no folder ${this.root}`);
    return view;
  }

  trust(onBroken: (file: string) => void = () => undefined): Trust {
    const { home, bundleDir, root: projectRoot } = this;
    const lock = new HomeLock({ home, bundleDir });
    return new Trust({ home, lock, projectRoot, now: () => new Date(), onBroken: ({ file }) => onBroken(file) });
  }

  book(options: BookParts = {}): DatabaseBook {
    const { env, insideContainer, containers, log = () => undefined, now = Date.now, detectors = DETECTORS } = options;
    const parts = { projectRoot: this.root, detectors, env, insideContainer, containers, log, now };
    return new DatabaseBook({
      projectRoot: this.root,
      detectors,
      look: (given, signal) => detect({ ...parts, given }, signal),
      supported: new Set(options.supported ?? ['sqlite']),
      trust: options.trust ?? this.trust(),
      now,
      env,
      kept: options.kept,
    });
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}
