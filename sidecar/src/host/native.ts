import { join } from 'node:path';

/** The better-sqlite3 binary of this platform, where the bundler puts it beside the bundle. */
export function nativeBindingFile(bundleDir: string): string {
  return join(bundleDir, 'native', `${platformKey()}.node`);
}

/** better-sqlite3's name for a prebuilt binary of this platform. */
export function platformKey(): string {
  const musl = process.platform === 'linux' && !hasGlibc();
  return `${process.platform}${musl ? 'musl' : ''}-${process.arch}`;
}

function hasGlibc(): boolean {
  // Otherwise the report looks up the name of every address that a socket of this process is connected to. The types
  // do not have this property yet.
  Object.assign(process.report, { excludeNetwork: true });
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('header' in report)) return true;
  const { header } = report;
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
}
