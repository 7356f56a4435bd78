import type { Home } from '../host/home.ts';
import { readOfHome, UnreadableFile } from '../host/read-file.ts';

/** `{projectRoot: port}` of the projects open now. */
export type RegistryEntries = Readonly<Record<string, number>>;

/** mcp.json is not `{projectRoot: port}`. Readers report it; only a writer may move it aside. */
export class UnreadableRegistry extends UnreadableFile {
  constructor(file: string, cause: unknown) {
    super(
      `${file} is not a JSON object of ports.`,
      "DevDB moves it aside when a window opens; reload the project's window.",
      cause,
    );
    this.name = 'UnreadableRegistry';
  }
}

/** Reads the registry without a lock: writers rename whole files, so a reader sees one state or the next. */
export function readRegistry(home: Pick<Home, 'registry'>): RegistryEntries {
  const text = readOfHome(home.registry);
  if (text === undefined) return {};
  try {
    return parsePorts(text);
  } catch (error) {
    throw new UnreadableRegistry(home.registry, error);
  }
}

/** Throws when the text is not an object whose values are ports. */
export function parsePorts(text: string): RegistryEntries {
  const raw: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Error('not an object');
  const entries: [string, number][] = Object.entries(raw).map(([root, port]) => [root, parsePort(root, port)]);
  return Object.fromEntries(entries);
}

function parsePort(root: string, port: unknown): number {
  if (typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`the value of ${JSON.stringify(root)} is not a port`);
}
