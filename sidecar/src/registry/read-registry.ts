import { readFileSync } from 'node:fs';
import { hasCode } from '../host/error-code.ts';
import type { Home } from '../host/home.ts';

/** `{projectRoot: port}` of the projects that are open now. */
export type RegistryEntries = Readonly<Record<string, number>>;

/** A file of the home that is there and of no use to who reads it. */
export class UnreadableFile extends Error {
  /** What to do next. */
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadableFile';
    this.hint = hint;
  }
}

/** mcp.json holds something else than `{projectRoot: port}`. Readers report it; only a writer may move it aside. */
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

/** The text of a file of the home, undefined when there is none. */
export function readOfHome(file: string): string | undefined {
  try {
    return readIfThere(file);
  } catch (error) {
    const hint = 'It has to be a file that this user may read. Mend that, or move it away: DevDB makes a new one.';
    throw new UnreadableFile(`${file} cannot be read (${systemCode(error)}).`, hint, error);
  }
}

function systemCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

/** The file's text, undefined when there is no such file. Every other failure is the caller's to report. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
