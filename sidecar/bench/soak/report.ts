import type { Finding } from './verdict.ts';

/** What a soak found. */
export interface SoakReport {
  readonly title: string;
  readonly findings: readonly Finding[];
  /** Calls with unexpected answers: each message with its count. */
  readonly wrong: ReadonlyMap<string, number>;
}

/** Whether nothing was found that must not be; what this run could not tell does not count. */
export function isFine({ findings }: SoakReport): boolean {
  return findings.every((finding) => finding.isFine !== false);
}
