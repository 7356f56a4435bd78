import type { UserScope } from '@devdb/shared/protocol/advertise-methods';
import * as z from 'zod';
import { hasCode } from '../../host/error-code.ts';
import { readForeign } from '../../host/foreign-file.ts';
import { MAX_FILE_BYTES } from '../../host/read-file.ts';
import { canonicalRoot } from '../../registry/project-root.ts';
import { mainWorkTree } from '../git/git-facts.ts';
import { clientFile, type Machine } from '../setup/clients.ts';
import { SERVER_NAME } from '../setup/merge-file.ts';
import { leadsToDevdb } from './own-entry.ts';

const serversSchema = z.record(z.string(), z.unknown());
const configSchema = z.object({
  mcpServers: serversSchema.optional(),
  projects: z.record(z.string(), z.object({ mcpServers: serversSchema.optional().catch(undefined) })).optional(),
});
type ClaudeConfig = z.infer<typeof configSchema>;

/** An entry of the same name that Claude Code prefers over the project's. */
export interface ShadowingEntry {
  readonly file: string;
  /** The folder Claude Code stores it for. */
  readonly project: string;
}

/** The entry in Claude Code's own file that hides the project's, unless it leads to DevDB as well. */
export async function shadowingEntry(
  machine: Machine,
  root: string,
  signal: AbortSignal,
): Promise<ShadowingEntry | undefined> {
  const { path: file } = clientFile('claude', machine);
  const config = await readConfig(file, signal);
  const hiding = Object.entries(config?.projects ?? {}).flatMap(([project, { mcpServers }]) => {
    const entry = mcpServers?.[SERVER_NAME];
    return entry === undefined || leadsToDevdb(entry) ? [] : [project];
  });
  if (hiding.length === 0) return undefined;
  // For a folder in Git, and for all its working trees, Claude Code stores entries under the repository's main tree.
  const folders = new Set([root, mainWorkTree(root)]);
  const project = hiding.find((folder) => {
    const found = canonicalRoot(folder);
    return found.ok && folders.has(found.root);
  });
  return project === undefined ? undefined : { file, project };
}

/** What Claude Code's own file has under our name for all projects. */
export async function userScopeOf(file: string, signal: AbortSignal): Promise<Exclude<UserScope, 'no-claude'>> {
  const config = await readConfig(file, signal);
  if (config === undefined) return 'unreadable';
  const entry = config.mcpServers?.[SERVER_NAME];
  if (entry === undefined) return 'none';
  return leadsToDevdb(entry) ? 'ours' : 'other';
}

/** The entry itself; undefined where there is none. */
export async function userScopeEntry(file: string, signal: AbortSignal): Promise<unknown> {
  return (await readConfig(file, signal))?.mcpServers?.[SERVER_NAME];
}

/** Undefined for an invalid file; Claude Code reports that itself. */
async function readConfig(file: string, signal: AbortSignal): Promise<ClaudeConfig | undefined> {
  try {
    const parsed = configSchema.safeParse(
      JSON.parse((await readForeign(file, MAX_FILE_BYTES, signal)).toString('utf8')),
    );
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (hasCode(error, 'ENOENT')) return {};
    return undefined;
  }
}
