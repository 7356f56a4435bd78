import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { platformKey } from '../src/host/native.ts';
import { TOOL_LIST_FILE } from '../src/stdio/tool-list.ts';
import { LAZY_PARTS, lazyParts } from './lazy-parts.ts';
import { stdioToolList } from './stdio-tools.ts';

const ROOT = join(import.meta.dirname, '..');
/** Our drivers; knex names them all, while each engine's file contains only its own. */
const DRIVERS = ['better-sqlite3', 'mysql2', 'pg', 'tedious'];
/** Drivers that knex and pg name but none of our engines uses. */
const NOT_OURS = ['mysql', 'mariadb/callback', 'oracledb', 'sqlite3', 'pg-native', 'pg-query-stream'];

export interface BundleOptions {
  readonly outDir: string;
  /** Another version than the package's, for tests of mixed versions. */
  readonly version?: string | undefined;
  /** better-sqlite3's name of the platform, when packaging for another one. */
  readonly platform?: string | undefined;
}

/** Writes the sidecar's bundle: one CommonJS file per process kind, and the native driver beside them. */
export async function bundleSidecar({ outDir, version, platform = platformKey() }: BundleOptions): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(join(outDir, 'native'), { recursive: true });
  const first = {
    cli: join(ROOT, 'src/entries/cli.ts'),
    launcher: join(ROOT, 'src/entries/launcher.ts'),
    sidecar: join(ROOT, 'src/entries/sidecar.ts'),
  };
  // An old Node has to run these far enough to print the message about its version.
  await bundleEntries(first, { outDir, version, target: 'node14' });
  const inParts = { outDir, version, target: 'node22', plugins: [lazyParts, noAzureSignIn] };
  await bundleEntries({ commands: join(ROOT, 'src/entries/commands.ts') }, inParts);
  for (const [name, { source, driver }] of Object.entries(LAZY_PARTS)) {
    await bundleEntries({ [name]: source }, { ...inParts, external: DRIVERS.filter((other) => other !== driver) });
  }
  await bundleEntries(
    {
      'sqlite-child': join(ROOT, 'src/engines/sqlite/child/main.ts'),
      'sqlite-watch': join(ROOT, 'src/engines/sqlite/child/watch.ts'),
      'detection-child': join(ROOT, 'src/detection/child/start.ts'),
      detection: join(ROOT, 'src/detection/child/main.ts'),
      'formatting-thread': join(ROOT, 'src/formatting/formatting-thread.ts'),
      'arranging-thread': join(ROOT, 'src/results/arranging-thread.ts'),
    },
    { outDir, version, target: 'node22' },
  );
  await bundleStdioEntry({ outDir, version });
  // The folder works on its own, wherever it is copied.
  writeFileSync(join(outDir, 'package.json'), '{"type":"commonjs"}\n');
  copyFileSync(driverFile(platform), join(outDir, 'native', `${platform}.node`));
  // Postgres' grammar looks for its WebAssembly beside the file it runs from.
  copyFileSync(join(packageDir('libpg-query'), 'wasm', 'libpg-query.wasm'), join(outDir, 'libpg-query.wasm'));
}

/**
 * tedious brings Azure's sign-in, which starts `az`, PowerShell and browsers. We sign in only by password and NTLM, so
 * the unused part is not shipped.
 */
const noAzureSignIn: Plugin = {
  name: 'no-azure-sign-in',
  setup(build) {
    build.onResolve({ filter: /^@azure\/identity$/ }, ({ path }) => ({ path, namespace: 'not-shipped' }));
    build.onLoad({ filter: /.*/, namespace: 'not-shipped' }, () => ({ contents: 'module.exports = {};' }));
  },
};

function packageDir(name: string): string {
  const main = createRequire(join(ROOT, 'package.json')).resolve(name);
  return main.slice(0, main.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length);
}

/** Writes only what `devdb mcp` needs: its entry and the list of its tools. */
export async function bundleStdioEntry({ outDir, version }: Omit<BundleOptions, 'platform'>): Promise<void> {
  await bundleEntries({ 'mcp-stdio': join(ROOT, 'src/entries/mcp-stdio.ts') }, { outDir, version, target: 'node18' });
  writeFileSync(join(outDir, TOOL_LIST_FILE), JSON.stringify(stdioToolList()));
}

interface EntryOptions extends Omit<BundleOptions, 'platform'> {
  readonly target: string;
  readonly plugins?: Plugin[];
  readonly external?: readonly string[];
}

async function bundleEntries(
  entryPoints: Record<string, string>,
  { outDir, version, target, plugins = [], external = [] }: EntryOptions,
): Promise<void> {
  await build({
    entryPoints,
    outdir: outDir,
    bundle: true,
    platform: 'node',
    target,
    plugins,
    // A lazy part is required where its source says import(), so that its file is found beside the bundle.
    supported: { 'dynamic-import': false },
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    external: ['vscode', ...NOT_OURS, ...external],
    // Its other form loads its parts in a way that no bundler detects.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    define: {
      'import.meta.dirname': '__dirname',
      DEVDB_VERSION: JSON.stringify(version ?? packageVersion()),
    },
    logLevel: 'warning',
  });
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('sidecar/package.json has no version');
}

function driverFile(platform: string): string {
  const file = join(packageDir('better-sqlite3'), 'prebuilds', `${platform}.node`);
  if (!existsSync(file)) throw new Error(`better-sqlite3 has no prebuilt binary for ${platform}: ${file} is missing.`);
  return file;
}
