import { loadCached } from './cached-load.ts';
import { type Copy, listCopies } from './version-order.ts';

const ENTRY = 'mcp-stdio.js';

export interface LaunchParts {
  /** Where the copies of the bundle lie. */
  readonly versionsDir: string;
  readonly argv: readonly string[];
  readonly complain: (sentence: string) => void;
}

/** Runs the stdio entry of the newest copy that can be loaded, in this process. False when there is none. */
export function launch({ versionsDir, argv, complain }: LaunchParts): boolean {
  for (const copy of listCopies(versionsDir)) {
    const main = mainOf(copy, complain);
    if (main === undefined) continue;
    main({ bundleDir: copy.dir, argv });
    return true;
  }
  complain(
    `DevDB is not installed: ${versionsDir} holds no copy of it that can be started. Open a project in VS Code with the DevDB extension, or run \`devdb serve --project DIR\` once, and start this again.`,
  );
  return false;
}

type Main = (options: { readonly bundleDir: string; readonly argv: readonly string[] }) => void;

function mainOf(copy: Copy, complain: (sentence: string) => void): Main | undefined {
  try {
    const entry = loadCached(`${copy.dir}/${ENTRY}`);
    if (hasMain(entry)) return (options) => entry.main(options);
    complain(`DevDB ${copy.version} in ${copy.dir} has no stdio entry; trying an older copy.`);
  } catch (error) {
    // Removed in this moment by an update, or damaged: the next one serves as well.
    complain(`DevDB ${copy.version} in ${copy.dir} cannot be loaded (${String(error)}); trying an older copy.`);
  }
  return undefined;
}

function hasMain(entry: unknown): entry is { main: Main } {
  return typeof entry === 'object' && entry !== null && 'main' in entry && typeof entry.main === 'function';
}
