import { type Entry, loadEntry } from './bundle-entry.ts';
import { type Copy, listCopies } from './version-order.ts';

const ENTRY = 'mcp-stdio.js';

export interface LaunchParts {
  /** The folder of the bundle's copies. */
  readonly versionsDir: string;
  readonly argv: readonly string[];
  readonly complain: (sentence: string) => void;
}

/** Runs the stdio entry of the newest loadable copy in this process. False when there is none. */
export function launch({ versionsDir, argv, complain }: LaunchParts): boolean {
  for (const copy of listCopies(versionsDir)) {
    const entry = entryOf(copy, complain);
    if (entry === undefined) continue;
    entry.main({ bundleDir: copy.dir, argv });
    return true;
  }
  complain(
    `DevDB is not installed: ${versionsDir} holds no copy of it that can be started. Open a project in VS Code with the DevDB extension, or run \`devdb serve --project DIR\` once, and start this again.`,
  );
  return false;
}

function entryOf(copy: Copy, complain: (sentence: string) => void): Entry | undefined {
  try {
    const entry = loadEntry(`${copy.dir}/${ENTRY}`);
    if (entry === undefined) complain(`DevDB ${copy.version} in ${copy.dir} has no stdio entry; trying an older copy.`);
    return entry;
  } catch (error) {
    // An update is removing it, or it is damaged: an older one will do.
    complain(`DevDB ${copy.version} in ${copy.dir} cannot be loaded (${String(error)}); trying an older copy.`);
    return undefined;
  }
}
