import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const EDITOR_API = 'editor-api';
const WHOLE_EDITOR_API = /^import \* as vscode from 'vscode';$/m;

export interface ExtensionBundleOptions {
  readonly outDir: string;
  /** The sidecar's finished bundle, which is copied beside the extension. */
  readonly sidecarDir: string;
}

/**
 * Writes the extension's bundle: one file for the extension host, one that the editor runs after uninstalling the
 * extension, and a copy of the sidecar's folder.
 */
export async function bundleExtension({ outDir, sidecarDir }: ExtensionBundleOptions): Promise<void> {
  rmSync(join(outDir, 'sidecar'), { recursive: true, force: true });
  await bundleEntry({ extension: join(ROOT, 'src/start.ts'), main: join(ROOT, 'src/main.ts') }, outDir);
  await bundleEntry({ uninstall: join(ROOT, 'src/uninstall.ts') }, outDir);
  for (const view of PAGES) await bundlePage(view, outDir);
  await bundleDiagramLayout(outDir);
  cpSync(sidecarDir, join(outDir, 'sidecar'), { recursive: true });
}

/**
 * The thread that lays out diagrams, and beside it the library that it uses: as its authors publish it and with its
 * license, which asks for both.
 */
async function bundleDiagramLayout(outDir: string): Promise<void> {
  const views = join(outDir, 'views');
  const library = createRequire(join(ROOT, 'package.json')).resolve('elkjs/lib/elk.bundled.js');
  await build({
    entryPoints: { 'diagram-layout': join(ROOT, 'src', 'views', 'diagram', 'layout-thread.ts') },
    outdir: views,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minify: true,
    plugins: [
      {
        name: 'library-beside',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^elkjs\// }, ({ path }) => ({ path: `./${basename(path)}`, external: true })),
      },
    ],
    logLevel: 'warning',
  });
  copyFileSync(library, join(views, basename(library)));
  copyFileSync(join(dirname(library), '..', 'LICENSE.md'), join(views, 'elk.LICENSE.md'));
}

/** The views with a page, which runs in the editor's webviews. */
const PAGES = ['activity', 'plan', 'results', 'diagram'] as const;

/** The script and the style sheet of a view's page. */
async function bundlePage(view: (typeof PAGES)[number], outDir: string): Promise<void> {
  const page = join(ROOT, 'src', 'views', view, 'page');
  await build({
    entryPoints: [
      { in: join(page, 'main.ts'), out: view },
      { in: join(page, `${view}.css`), out: view },
    ],
    outdir: join(outDir, 'views'),
    bundle: true,
    platform: 'browser',
    // The browser of the oldest editor of engines.vscode.
    target: 'chrome134',
    format: 'iife',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const [file, ending] of [
    [`${view}.js`, /<\/script|<!--/i],
    [`${view}.css`, /<\/style|<!--/i],
  ] as const) {
    // It stands in the page's HTML.
    const text = await readFile(join(outDir, 'views', file), 'utf8');
    if (ending.test(text)) throw new Error(`${file} contains what would end its element in a page: ${ending}.`);
  }
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
    plugins: [oneEditorApi],
    define: {
      'import.meta.dirname': '__dirname',
      // A library detects its platform through it, and the extension host reports every access, which takes 10 ms.
      navigator: 'undefined',
    },
    logLevel: 'warning',
  });
}

/**
 * Every file gets the editor's API as it is. An `import *` of something that is required makes the bundler copy it
 * member by member, once for each file that imports it: hundreds of members twenty times while the editor starts.
 */
const oneEditorApi: Plugin = {
  name: 'one-editor-api',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]extension[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { loader: 'ts', contents: source.replace(WHOLE_EDITOR_API, `const vscode = require('${EDITOR_API}');`) };
    });
    onResolve({ filter: new RegExp(`^${EDITOR_API}$`) }, () => ({ path: EDITOR_API, namespace: EDITOR_API }));
    onLoad({ filter: /^/, namespace: EDITOR_API }, () => ({ contents: `module.exports = require('vscode');` }));
  },
};
