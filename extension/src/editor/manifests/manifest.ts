/** What a manifest says of itself. */
export interface ManifestContent {
  readonly name?: string | undefined;
  readonly dependencies: readonly string[];
  /** A list of packages for others, such as a version catalogue, is no module. */
  readonly isModule?: false;
}

/** Reads one kind of manifest. Throws UnreadManifest for what is none. */
export type ReadManifest = (text: string, file: string) => ManifestContent;

/** Why a manifest was not read, behind its name. */
export class UnreadManifest extends Error {}

const MAX_NAME_CHARS = 214;
const MAX_DEPENDENCIES = 5_000;

/** Names that may be shown: short, without blanks, each once. */
export function names(found: Iterable<unknown>): string[] {
  const kept = new Set<string>();
  for (const name of found) {
    if (isName(name)) kept.add(name);
    if (kept.size >= MAX_DEPENDENCIES) break;
  }
  return [...kept];
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_CHARS && /^[^\s\p{C}]+$/u.test(value);
}
