import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { userScopeEntry } from '../../clients/advertise/claude-config.ts';
import { ifUncovered } from '../../clients/advertise/coverage.ts';
import { FILE_NAME, lookAt, takeBack, takeOutUnrecorded } from '../../clients/advertise/mcp-json.ts';
import { isOwnEntry, startsLauncher } from '../../clients/advertise/own-entry.ts';
import { readRecords } from '../../clients/advertise/records.ts';
import { type GitFacts, gitFacts } from '../../clients/git/git-facts.ts';
import { clientFile, type Machine } from '../../clients/setup/clients.ts';
import { removeFromFile } from '../../clients/setup/merge-file.ts';
import type { OnBroken } from '../../host/files.ts';
import type { Home } from '../../host/home.ts';
import { targetWithin } from '../../host/replace-file.ts';
import { isAnyCopyInUse, pruneCopies } from '../../registry/copy-in-use.ts';
import { HomeLock } from '../../registry/home-lock.ts';
import { RegistryFile } from '../../registry/registry-file.ts';
import { otherCopies } from './other-copies.ts';
import { removeHome } from './remove-home.ts';

export interface UninstallParts {
  readonly home: Home;
  /** Where the native driver is: not in the home. */
  readonly bundleDir: string;
  readonly machine: Machine;
  /** The extension being uninstalled. */
  readonly extensionDir: string;
  /** Reports in sentences what was removed and what was kept. */
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** Removes what DevDB wrote on this machine, except what another installed copy or a running process needs. */
export async function uninstall(parts: UninstallParts): Promise<void> {
  const { home, machine, extensionDir, say } = parts;
  const [other] = otherCopies(machine.userHome, extensionDir);
  if (other !== undefined) {
    say(`Kept everything: DevDB is still installed in ${other}.`);
    return;
  }
  if (!existsSync(home.dir)) {
    say(`There is no ${home.dir}.`);
    return;
  }
  const lock = new HomeLock(parts);
  const onBroken: OnBroken = ({ file, movedTo }) => say(`${file} could not be read and is now ${movedTo}.`);
  await removeEntries(parts, lock, onBroken);
  await removeRest(parts, lock);
}

/** Our entries in the `.mcp.json` of every project DevDB remembers. */
async function removeEntries(parts: UninstallParts, lock: HomeLock, onBroken: OnBroken): Promise<void> {
  const { home, signal } = parts;
  const { entries, remembered } = await new RegistryFile({ home, lock, onBroken }).read(signal);
  const records = await lock.run(signal, () => readRecords(home, onBroken));
  for (const root of new Set([...Object.keys(records), ...Object.keys(entries), ...Object.keys(remembered)])) {
    try {
      await removeEntry(parts, lock, onBroken, root);
    } catch (error) {
      signal.throwIfAborted();
      parts.say(`Kept ${join(root, FILE_NAME)}: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
}

async function removeEntry(parts: UninstallParts, lock: HomeLock, onBroken: OnBroken, root: string): Promise<void> {
  const { home, signal, say } = parts;
  const path = join(root, FILE_NAME);
  const { file } = targetWithin([root], path);
  const seen = file === undefined ? 'absent' : lookAt(file, true).state;
  const record = (await lock.run(signal, () => readRecords(home, onBroken)))[root];
  if (record === undefined && seen !== 'same') return;
  const git: GitFacts = file === undefined ? { kind: 'none' } : gitFacts(file);
  const leaveFile = git.kind === 'tracked' && record?.inGit !== true;
  await lock.run(signal, () => {
    const isFree = ifUncovered(parts, root, () => {
      takeBack({ home, onBroken }, root, leaveFile);
      if (leaveFile || file === undefined) return;
      takeOutUnrecorded(path, file, (entry) => startsLauncher(entry, home.launcher));
    });
    if (!isFree) say(`Kept the entry in ${path}: a DevDB process serves that project.`);
    else if (leaveFile) say(`Kept the entry in ${path}: Git tracks the file.`);
  });
}

async function removeRest(parts: UninstallParts, lock: HomeLock): Promise<void> {
  const { home, bundleDir, machine, signal, say } = parts;
  const isOurs = (entry: unknown) => startsLauncher(entry, home.launcher) || isOwnEntry(entry);
  const entry = await userScopeEntry(clientFile('claude', machine).path, signal);
  await lock.run(signal, () => {
    if (isAnyCopyInUse(home, bundleDir)) {
      say(`Kept ${home.dir}: a DevDB process runs from it. End it and delete the folder.`);
      return;
    }
    if (isOurs(entry)) sayMerge(parts);
    const left = removeHome(home);
    if (left.length > 0) say(`Kept files in ${home.dir} that are not DevDB's: ${left.join(', ')}.`);
    else say(`Removed ${home.dir}.`);
  });
  if (existsSync(home.versions)) await pruneCopies(home, bundleDir);
}

function sayMerge({ machine, say }: UninstallParts): void {
  const file = clientFile('claude', machine);
  const merge = removeFromFile(file, machine.userHome);
  say(merge.ok ? `Removed devdb from ${file.path}.` : merge.problem);
}
