import { type Finding, PRIORITY } from './detector.ts';
import { programFolder } from './driver-packages.ts';
import type { ProjectView } from './project-view.ts';

/** A Worker may have one for each way to start it: `wrangler.dev.jsonc`. */
export const WRANGLER = /^wrangler(\.(?!example|sample|template)[\w-]+)?\.(toml|jsonc?)$/;
/** What starts an application in Cloudflare's own runtime, also on a developer's machine. */
const RUNS_WORKER = /"@cloudflare\/vite-plugin"|"(?:dev|start)(?::\w+)?": ?"[^"\n]{0,200}\bwrangler (?:pages )?dev\b/;

/** The line on which a Worker's settings give it databases of D1. */
export function namesD1(text: string | undefined): number | undefined {
  const at = text?.indexOf('d1_databases') ?? -1;
  return text === undefined || at === -1 ? undefined : text.slice(0, at).split('\n').length;
}

/**
 * A Worker cannot open a file: one that the settings beside its D1 databases name is for the tests or commands of Node
 * around it, and no default.
 */
export async function withoutWorkersFiles(
  project: ProjectView,
  findings: readonly Finding[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const checked: Finding[] = [];
  for (const one of findings) {
    const isFile = 'file' in one.target && isSettings(one) && !/[\\/]\.wrangler[\\/]/.test(one.target.file);
    const isAside = isFile && one.neverDefault === undefined && (await isOfWorker(project, one, signal));
    checked.push(isAside ? { ...one, neverDefault: 'beside' } : one);
  }
  return checked;
}

function isSettings({ priority }: Finding): boolean {
  return priority >= PRIORITY.environment && priority < PRIORITY.compose;
}

async function isOfWorker(project: ProjectView, { source }: Finding, signal: AbortSignal): Promise<boolean> {
  const app = programFolder(await project.apps(signal), source.file);
  const read = app?.has('package.json') ? await app.read('package.json') : undefined;
  if (app === undefined || read?.state !== 'text' || !RUNS_WORKER.test(read.text)) return false;
  for (const name of app.files(WRANGLER)) {
    const settings = await app.read(name);
    if (settings.state === 'text' && namesD1(settings.text) !== undefined) return true;
  }
  return false;
}
