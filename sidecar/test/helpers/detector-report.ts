import { relative } from 'node:path';
import type { Detector, Finding } from '../../src/detection/detector.ts';
import type { FixtureProject } from './fixture-project.ts';

/** A detector's results for a project, one line each. */
export interface DetectorReport {
  readonly found: readonly string[];
  readonly skipped: readonly string[];
}

/** Runs one detector and lists what it found and left out. */
export async function reportOf(
  detector: Detector,
  project: FixtureProject,
  env: Readonly<Record<string, string>> = {},
): Promise<DetectorReport> {
  const { found, skipped } = await detector.detect(await project.view(env), AbortSignal.timeout(30_000));
  return {
    found: found.map((finding) => line(finding, project.root)),
    skipped: skipped.map(({ file, line: at, reason }) => `${file}:${at ?? ''} ${reason}`),
  };
}

function line({ id, kind, target, source, environment }: Finding, root: string): string {
  const where =
    'file' in target
      ? relative(root, target.file)
      : `${target.user}:${target.password?.open() ?? ''}@${target.host}:${target.port}/${target.database}${JSON.stringify(target.options).replace('{}', '')}`;
  return `${id} ${kind} ${where} ${source.file}:${source.line ?? ''}${environment === undefined ? '' : ` [${environment}]`}`;
}
