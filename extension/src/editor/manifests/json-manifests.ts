import * as z from 'zod';
import { isName, names, type ReadManifest, UnreadManifest } from './manifest.ts';

const manifestSchema = z.record(z.string(), z.unknown());

/** npm: packages of every group, and the name of the package. */
export const packageJson: ReadManifest = (text) => {
  const manifest = parsed(text);
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return { name: nameOf(manifest), dependencies: names(groups.flatMap((group) => keysOf(manifest, group))) };
};

/** Composer. What it asks of PHP itself is no package. */
export const composerJson: ReadManifest = (text) => {
  const manifest = parsed(text);
  const all = ['require', 'require-dev'].flatMap((group) => keysOf(manifest, group));
  return { name: nameOf(manifest), dependencies: names(all.filter((name) => name.includes('/'))) };
};

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw new UnreadManifest('is not valid JSON');
  }
}

function nameOf({ name }: Readonly<Record<string, unknown>>): string | undefined {
  return isName(name) ? name : undefined;
}

function keysOf(manifest: Readonly<Record<string, unknown>>, group: string): string[] {
  return Object.keys(manifestSchema.safeParse(manifest[group]).data ?? {});
}
