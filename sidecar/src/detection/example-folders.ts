import { type Finding, PRIORITY } from './detector.ts';
import type { ProjectView } from './project-view.ts';

/** Folders for programs that only show, measure or test what the project is about, or that are out of use. */
const FOLDER =
  /^((apps|packages)\/)?_?(docs?|documentation|examples?|samples?|demos?|playgrounds?|templates?|stubs?|bench|benchmarks?|test-utils|archived?|backups?|old|legacy)\//i;

/** What the settings in a folder of examples name is no default of the application in the project's root. */
export async function withoutExamples<T extends Pick<Finding, 'priority' | 'neverDefault' | 'source'>>(
  project: ProjectView,
  findings: readonly T[],
  signal: AbortSignal,
): Promise<readonly T[]> {
  const [root] = await project.apps(signal);
  if (root?.isApplication !== true) return findings;
  return findings.map((one) => (isExample(one) ? { ...one, neverDefault: 'beside' } : one));
}

/** The user's own settings for DevDB mean what they say. */
function isExample({ priority, neverDefault, source }: Pick<Finding, 'priority' | 'neverDefault' | 'source'>): boolean {
  return priority >= PRIORITY.environment && neverDefault === undefined && FOLDER.test(source.file);
}
