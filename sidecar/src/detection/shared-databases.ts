import { posix } from 'node:path';
import { LIKELY_APPS } from './app-folder.ts';
import { type Finding, PRIORITY } from './detector.ts';

/**
 * Of several applications in folders of equal standing the alphabet says nothing: the database that most of them name
 * comes first. Where each module of a JVM build has its own, only the command that starts one of them decides.
 */
export function mostSharedFirst(findings: readonly Finding[]): readonly Finding[] {
  const [first, ...others] = findings.filter(isSettings).toSorted((a, b) => a.priority - b.priority);
  if (first === undefined || unitOf(first) === undefined) return findings;
  const users = new Map<string, Set<string>>();
  for (const one of [first, ...others]) {
    const unit = unitOf(one);
    if (unit === undefined) continue;
    const units = users.get(targetOf(one)) ?? new Set();
    users.set(targetOf(one), units.add(unit));
  }
  const count = (one: Finding): number => users.get(targetOf(one))?.size ?? 0;
  const most = others.reduce((best, one) => (count(one) > count(best) ? one : best), first);
  if (most === first) return count(first) === 1 && hasOtherModule(first, others) ? findings.map(ofModule) : findings;
  return findings.map((one) => (one === most ? { ...one, priority: first.priority - 1 } : one));
}

function hasOtherModule(first: Finding, others: readonly Finding[]): boolean {
  const own = moduleOf(first);
  return own !== undefined && others.some((one) => ![undefined, own].includes(moduleOf(one)));
}

function ofModule(one: Finding): Finding {
  return isSettings(one) && moduleOf(one) !== undefined ? { ...one, neverDefault: 'undecided' } : one;
}

/** What settings of applications say; neither the user's own for DevDB nor containers and files. */
function isSettings({ priority, environment, neverDefault }: Finding): boolean {
  const named = priority >= PRIORITY.environment && priority < PRIORITY.compose;
  return named && environment === undefined && neverDefault === undefined;
}

/** The folder of one of several applications, e.g. `packages/a` or a .NET project's; the main one stands for itself. */
function unitOf({ source }: Finding): string | undefined {
  const folder = posix.dirname(source.file).replace(/\/Properties$/, '');
  if (source.by === 'dotnet' && folder !== '.')
    return LIKELY_APPS.has(posix.basename(folder).toLowerCase()) ? undefined : folder;
  if (source.by === 'spring') return moduleOf({ source });
  const [group, name, ...inner] = source.file.split('/');
  if (group === undefined || name === undefined || inner.length === 0 || !UNITS.has(group)) return undefined;
  return LIKELY_APPS.has(name.toLowerCase()) ? undefined : `${group}/${name}`;
}

/** The folder of a Maven or Gradle module; undefined for the root and for the main one. */
function moduleOf({ source: { by, file } }: Pick<Finding, 'source'>): string | undefined {
  const [, folder] = /^(.+?)\/(?:src\/main|config)\//.exec(file) ?? [];
  if (by !== 'spring' || folder === undefined) return undefined;
  return LIKELY_APPS.has(posix.basename(folder).toLowerCase()) ? undefined : folder;
}

const UNITS: ReadonlySet<string> = new Set(['apps', 'packages', 'services', 'modules', 'libs', 'crates']);

function targetOf({ kind, target }: Finding): string {
  if ('file' in target) return target.file;
  const host = /^(localhost|127\.0\.0\.1|\[?::1\]?|)$/i.test(target.host) ? 'localhost' : target.host;
  return JSON.stringify([kind, host, target.port, target.database]);
}
