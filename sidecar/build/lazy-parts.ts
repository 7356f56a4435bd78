import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');

export interface LazyPart {
  readonly source: string;
  /** The only driver that belongs in it. */
  readonly driver?: string;
}

/**
 * The parts a sidecar loads only when needed, each as a file of the bundle: in one file with the rest, their source
 * alone would cost every idle sidecar some 30 MB. `errors`, `rows-text` and `time-left` are shared by all of them as one
 * module each: an error is recognized by its class, rows as text by a mark, and a deadline by its signal; a second copy
 * of any of them would recognize only its own.
 */
export const LAZY_PARTS: Readonly<Record<string, LazyPart>> = {
  errors: { source: join(ROOT, '../shared/src/errors.ts') },
  'rows-text': { source: join(ROOT, '../shared/src/rows-text.ts') },
  'time-left': { source: join(ROOT, 'src/host/time-left.ts') },
  'engine-sqlite': { source: join(ROOT, 'src/engines/sqlite/session.ts') },
  'engine-postgres': { source: join(ROOT, 'src/engines/postgres/open.ts'), driver: 'pg' },
  'engine-mysql': { source: join(ROOT, 'src/engines/mysql/session.ts'), driver: 'mysql2' },
  'engine-mssql': { source: join(ROOT, 'src/engines/mssql/session.ts'), driver: 'tedious' },
  'mcp-http': { source: join(ROOT, 'src/doors/mcp/open-mcp.ts') },
};

/** Turns imports of those modules into a `require` of their file beside the bundle. */
export const lazyParts: Plugin = {
  name: 'lazy-parts',
  setup(build) {
    const fileOf = new Map(Object.entries(LAZY_PARTS).map(([name, { source }]) => [source, `./${name}.js`]));
    // Resolving everything twice would take seconds; what only shares one of these names is recognised by its path.
    const names = Object.values(LAZY_PARTS).map(({ source }) => basename(source, '.ts'));
    build.onResolve(
      { filter: new RegExp(`(^|/)(${[...new Set(names)].join('|')})(\\.ts)?$`) },
      async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind === 'entry-point' || pluginData === lazyParts) return undefined;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: lazyParts });
        const file = fileOf.get(found.path);
        return file === undefined ? found : { path: file, external: true };
      },
    );
  },
};
