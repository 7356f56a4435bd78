/** Folders whose files make Git, the editor or an agent run something by itself. */
const FOLDERS = new Set(['.git', '.vscode', '.devcontainer', '.devdb', '.claude', '.cursor', '.husky', '.idea']);
const FILES = new Set(['.devdbrc', '.mcp.json', '.envrc']);
const ENDINGS = ['.code-workspace'];

/** Whether a file of the project makes programs run without being started: hooks, tasks, servers of agents. */
export function runsPrograms(relative: string): boolean {
  const names = relative.split('/').map(asTheDiskHasIt);
  const last = names.at(-1) ?? '';
  return names.some((name) => FOLDERS.has(name)) || FILES.has(last) || ENDINGS.some((ending) => last.endsWith(ending));
}

/** Disks without case, and Windows, take other spellings for the same name. */
function asTheDiskHasIt(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/^git~\d+$/, '.git')
    .replace(/[ .]{1,255}$/, '');
}
