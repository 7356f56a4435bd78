import { join } from 'node:path';
import { build } from 'esbuild';
import { driverDir } from './driver-dir.ts';

/** Writes the parts of a bundle that the results of a person need into `dir`: the thread that sorts and the driver. */
export async function arrangingBundle(dir: string): Promise<string> {
  await build({
    entryPoints: { 'arranging-thread': join(__dirname, '..', '..', 'src', 'results', 'arranging-thread.ts') },
    outdir: dir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    logLevel: 'warning',
  });
  return driverDir(dir);
}
