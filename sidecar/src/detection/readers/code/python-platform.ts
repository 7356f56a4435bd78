const SYSTEMS: Readonly<Record<string, string>> = { win32: 'Windows', darwin: 'Darwin', linux: 'Linux' };

/** What Python calls the platform of this machine; undefined for another expression. */
export function platformOf(name: string | undefined): string | undefined {
  if (name === 'sys.platform') return process.platform;
  if (name === 'os.name') return process.platform === 'win32' ? 'nt' : 'posix';
  return name === 'platform.system()' ? SYSTEMS[process.platform] : undefined;
}
