import { posix } from 'node:path';
import type { ManifestContent } from './manifest.ts';

/** A manifest with where it stands. */
export interface FoundManifest extends ManifestContent {
  readonly kind: string;
  /** From the project's root. */
  readonly path: string;
  /** What a module goes by whose manifest gives it no name. */
  readonly folderName: string;
}

export interface Module {
  readonly name: string;
  readonly kind: string;
  readonly manifests: string[];
  readonly dependencies: string[];
}

/** The modules of a project: one for the manifests of a folder that are of one kind, each project of .NET its own. */
export function modulesOf(manifests: readonly FoundManifest[]): Module[] {
  const groups = new Map<string, FoundManifest[]>();
  for (const manifest of manifests) {
    const isOwn = manifest.kind === 'dotnet' && manifest.isModule !== false;
    const key = `${manifest.kind} ${isOwn ? manifest.path : posix.dirname(manifest.path)}`;
    groups.set(key, [...(groups.get(key) ?? []), manifest]);
  }
  return [...groups.values()].filter((group) => group.some(({ isModule }) => isModule !== false)).flatMap(moduleOf);
}

function moduleOf(group: readonly FoundManifest[]): Module[] {
  const [first] = group;
  if (first === undefined) return [];
  const named = group.find(({ name }) => name !== undefined);
  return [
    {
      name: named?.name ?? first.folderName,
      kind: first.kind,
      manifests: group.map(({ path }) => path),
      dependencies: [...new Set(group.flatMap(({ dependencies }) => dependencies))].sort(),
    },
  ];
}
