import { posix } from 'node:path';
import { LIKELY_APPS } from './app-folder.ts';
import { type Finding, PRIORITY } from './detector.ts';

/**
 * Of several applications in folders of equal standing the alphabet says nothing: the database that most of them name
 * comes first.
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
  if (most === first) return findings;
  return findings.map((one) => (one === most ? { ...one, priority: first.priority - 1 } : one));
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
  const [group, name, ...inner] = source.file.split('/');
  if (group === undefined || name === undefined || inner.length === 0 || !UNITS.has(group)) return undefined;
  return LIKELY_APPS.has(name.toLowerCase()) ? undefined : `${group}/${name}`;
}

const UNITS: ReadonlySet<string> = new Set(['apps', 'packages', 'services', 'modules', 'libs', 'crates']);

function targetOf({ kind, target }: Finding): string {
  if ('file' in target) return target.file;
  const host = /^(localhost|127\.0\.0\.1|\[?::1\]?|)$/i.test(target.host) ? 'localhost' : target.host;
  return JSON.stringify([kind, host, target.port, target.database]);
}
