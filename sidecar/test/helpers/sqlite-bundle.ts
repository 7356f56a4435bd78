import { join } from 'node:path';
import { build } from 'esbuild';
import { driverDir } from './driver-dir.ts';

const CHILD_DIR = join(__dirname, '..', '..', 'src', 'engines', 'sqlite', 'child');

/** Writes the parts of a bundle that the SQLite engine needs into `dir`: its two entries and the driver. */
export async function sqliteBundle(dir: string): Promise<string> {
  await build({
    entryPoints: { 'sqlite-child': join(CHILD_DIR, 'main.ts'), 'sqlite-watch': join(CHILD_DIR, 'watch.ts') },
    outdir: dir,
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  return driverDir(dir);
}

/** Writes a script that runs one statement in its own session. Arguments: bundle folder, file, read or write, SQL. */
export async function sqliteRunner(dir: string): Promise<string> {
  const outfile = join(dir, 'sqlite-runner.js');
  await build({
    entryPoints: [join(__dirname, 'sqlite-runner.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'cjs',
    logLevel: 'warning',
  });
  return outfile;
}
