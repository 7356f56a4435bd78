import { posix } from 'node:path';
import { composerJson, packageJson } from './json-manifests.ts';
import { gemfile, goMod, gradle } from './line-manifests.ts';
import type { ReadManifest } from './manifest.ts';
import { requirements, setupCfg, setupPy } from './python-manifests.ts';
import { cargo, gradleCatalog, pipfile, pyproject } from './toml-manifests.ts';
import { dotnetProject, packagesConfig, pom } from './xml-manifests.ts';

/** A kind of manifest: its files and their reader. */
export interface ManifestKind {
  readonly kind: string;
  /** Of the name alone, without case. */
  readonly files: RegExp;
  /** The same for a search. */
  readonly globs: readonly string[];
  readonly read: ReadManifest;
}

export const KINDS: readonly ManifestKind[] = [
  { kind: 'npm', files: /^package\.json$/i, globs: ['package.json'], read: packageJson },
  { kind: 'composer', files: /^composer\.json$/i, globs: ['composer.json'], read: composerJson },
  { kind: 'python', files: /^pyproject\.toml$/i, globs: ['pyproject.toml'], read: pyproject },
  { kind: 'python', files: /^pipfile$/i, globs: ['pipfile'], read: pipfile },
  { kind: 'python', files: /^setup\.cfg$/i, globs: ['setup.cfg'], read: setupCfg },
  { kind: 'python', files: /^requirements[\w.-]*\.txt$/i, globs: ['requirements*.txt'], read: requirements },
  { kind: 'python', files: /^setup\.py$/i, globs: ['setup.py'], read: setupPy },
  { kind: 'go', files: /^go\.mod$/i, globs: ['go.mod'], read: goMod },
  { kind: 'cargo', files: /^cargo\.toml$/i, globs: ['cargo.toml'], read: cargo },
  { kind: 'maven', files: /^pom\.xml$/i, globs: ['pom.xml'], read: pom },
  {
    kind: 'gradle',
    files: /^(build|settings)\.gradle(\.kts)?$/i,
    globs: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    read: gradle,
  },
  { kind: 'gradle', files: /^libs\.versions\.toml$/i, globs: ['libs.versions.toml'], read: gradleCatalog },
  { kind: 'dotnet', files: /\.(cs|fs|vb)proj$/i, globs: ['*.csproj', '*.fsproj', '*.vbproj'], read: dotnetProject },
  { kind: 'dotnet', files: /^packages\.config$/i, globs: ['packages.config'], read: packagesConfig },
  { kind: 'bundler', files: /^gemfile$|\.gemspec$/i, globs: ['gemfile', '*.gemspec'], read: gemfile },
];

export const MANIFEST_GLOBS: readonly string[] = KINDS.flatMap(({ globs }) => globs);

/** The kind of a file by its path. */
export function kindOf(path: string): ManifestKind | undefined {
  const name = posix.basename(path);
  return KINDS.find(({ files }) => files.test(name));
}
