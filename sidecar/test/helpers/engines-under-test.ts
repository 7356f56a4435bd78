import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { EngineContext, EngineKind, Session } from '../../src/engines/engine.ts';
import { sqlite } from '../../src/engines/sqlite/open.ts';
import { driverDir } from './driver-dir.ts';
import { shopDatabase } from './sqlite-shop.ts';

export interface EngineUnderTest {
  readonly kind: EngineKind;
  /** A statement that reads for as long as it is let. */
  readonly endless: string;
  /** A statement that answers one row for each number from 1 to this one, in a column `i`. */
  readonly numbersTo: (last: number) => string;
  /** One row of a blob of these many bytes, each of them ff. */
  readonly blobOf: (bytes: number) => string;
  /** Brings the engine up, once for a suite. */
  readonly start: () => Promise<StartedEngine>;
}

export interface StartedEngine {
  /** Makes the shop of fixtures/sql afresh and opens it. */
  readonly open: () => Promise<OpenedShop>;
  readonly stop: () => Promise<void>;
}

export interface OpenedShop {
  readonly session: Session;
  readonly close: () => Promise<void>;
}

/** Every engine that can be had here. `ENGINES=sqlite,postgres` narrows the run and makes a missing one fail. */
export function enginesUnderTest(wanted: string | undefined): readonly EngineUnderTest[] {
  if (wanted === undefined || wanted === '') return ALL;
  return wanted.split(',').map((kind) => {
    const engine = ALL.find((candidate) => candidate.kind === kind.trim());
    if (engine === undefined) throw new Error(`ENGINES names ${kind}, which this suite cannot bring up.`);
    return engine;
  });
}

const ALL: readonly EngineUnderTest[] = [
  {
    kind: 'sqlite',
    endless: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    numbersTo: (last) =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) SELECT i FROM n`,
    blobOf: (bytes) => `SELECT CAST(replace(hex(zeroblob(${bytes / 2})), '00', x'ffff') AS BLOB) AS raw`,
    start: startSqlite,
  },
];

async function startSqlite(): Promise<StartedEngine> {
  const bundle = await sqliteBundle();
  return { open: () => openSqliteShop(bundle.dir), stop: async () => bundle.remove() };
}

async function openSqliteShop(bundleDir: string): Promise<OpenedShop> {
  const shop = shopDatabase();
  const session = sqlite.open({ file: shop.file }, engineContext(shop.dir, bundleDir));
  const close = async (): Promise<void> => {
    await session.end();
    shop.remove();
  };
  return { session, close };
}

/** What an engine gets from the process it runs in. */
export function engineContext(projectRoot: string, bundleDir: string): EngineContext {
  return { projectRoot, bundleDir, log: () => undefined };
}

/** SQLite's two process files and its driver in a folder of their own. */
export async function sqliteBundle(): Promise<{ readonly dir: string; readonly remove: () => void }> {
  const dir = mkdtempSync(join(tmpdir(), 'devdb-bundle-'));
  const source = join(__dirname, '../../src/engines/sqlite/child');
  await build({
    entryPoints: { 'sqlite-child': join(source, 'main.ts'), 'sqlite-watch': join(source, 'watch.ts') },
    outdir: dir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'error',
  });
  driverDir(dir);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
