import { PRIORITY, type Finding } from './detector.ts';
import type { ProjectView } from './project-view.ts';

/** Folders for programs that only show or measure what the project is about. */
const FOLDER = /^(docs?|documentation|examples?|samples?|demos?|playgrounds?|templates?|bench|benchmarks?)\//i;

/** What the settings in a folder of examples name is no default of the application in the project's root. */
export async function withoutExamples(
  project: ProjectView,
  findings: readonly Finding[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const [root] = await project.apps(signal);
  if (root?.isApplication !== true) return findings;
  return findings.map((one) => (isExample(one) ? { ...one, neverDefault: 'beside' } : one));
}

/** The user's own settings for DevDB mean what they say. */
function isExample({ priority, neverDefault, source }: Finding): boolean {
  return priority >= PRIORITY.environment && neverDefault === undefined && FOLDER.test(source.file);
}
