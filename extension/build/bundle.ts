import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');

export interface ExtensionBundleOptions {
  readonly outDir: string;
  /** The sidecar's finished bundle, which is copied beside the extension. */
  readonly sidecarDir: string;
}

/**
 * Writes the extension's bundle: one file for the extension host, one that an editor runs after it
 * has uninstalled the extension, and the sidecar's folder as it is.
 */
export async function bundleExtension({ outDir, sidecarDir }: ExtensionBundleOptions): Promise<void> {
  rmSync(join(outDir, 'sidecar'), { recursive: true, force: true });
  await bundleEntry({ extension: join(ROOT, 'src/main.ts') }, outDir);
  await bundleEntry({ uninstall: join(ROOT, 'src/uninstall.ts') }, outDir);
  cpSync(sidecarDir, join(outDir, 'sidecar'), { recursive: true });
}

async function bundleEntry(entryPoints: Record<string, string>, outDir: string): Promise<void> {
  await build({
    entryPoints,
    outdir: outDir,
    bundle: true,
    platform: 'node',
    // The oldest editor of engines.vscode runs its extensions on Node 22.
    target: 'node22',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    external: ['vscode'],
    define: {
      'import.meta.dirname': '__dirname',
      // A library looks there for the place it runs in, and the extension host reports whoever looks, which takes 10 ms.
      navigator: 'undefined',
    },
    logLevel: 'warning',
  });
}
