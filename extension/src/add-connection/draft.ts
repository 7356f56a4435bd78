import { ENGINES, SERVERS, type ServerType } from '@devdb/shared/engines';
import type { TypedConnection } from '@devdb/shared/protocol/connection-methods';
import { suggestedConnectionSchema } from '@devdb/shared/protocol/suggested-connection';
import * as z from 'zod';

/** What the wizard can start from. */
export type Beginning = 'sqlite' | ServerType | 'url';

/** Where a connection is stored. */
export type Keep = 'devdbrc' | 'editor';

/** A connection while it is being entered. */
export interface Draft {
  readonly root: string;
  readonly beginning?: Beginning;
  readonly url?: string;
  /** The engine of the URL. */
  readonly urlType?: ServerType | 'sqlite';
  /** The URL's other parts, which need not be asked for. */
  readonly urlSays?: readonly string[];
  readonly path?: string;
  readonly host?: string;
  readonly port?: string;
  readonly database?: string;
  readonly username?: string;
  readonly password?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly keep?: Keep;
}

/** Where a server listens by default. */
export function usualPort(type: ServerType): number {
  return ENGINES[SERVERS[type].kind].port;
}

/** The engine of a draft, once known. */
export function typeOf({ beginning, urlType }: Draft): ServerType | 'sqlite' | undefined {
  return beginning === 'url' ? urlType : beginning;
}

/** What somebody already knows of a connection of one of these projects; nothing where it is not understood. */
export function draftOf(known: unknown, roots: readonly string[]): Partial<Draft> {
  const { data } = z.object({ root: z.enum(roots), connection: suggestedConnectionSchema() }).safeParse(known);
  if (data === undefined) return {};
  const { root, connection } = data;
  if (connection.type === 'sqlite') return { root, beginning: 'sqlite', path: connection.path };
  const { type, host, port = usualPort(type), username = '', database } = connection;
  return { root, beginning: type, host, port: String(port), username, database };
}

/** The connection of a finished draft. */
export function connectionOf(draft: Draft): TypedConnection {
  const type = typeOf(draft);
  const { name = suggestedName(draft), path, host, port, username = '', database, options = {} } = draft;
  if (type === 'sqlite' && path !== undefined) return { type, name, path };
  if (type === undefined || type === 'sqlite' || host === undefined || database === undefined) {
    throw new Error('The connection is not complete.');
  }
  const some = Object.keys(options).length === 0 ? {} : { options: { ...options } };
  return { type, name, host, port: Number(port ?? usualPort(type)), username, database, ...some };
}

/** The default name of a connection. */
export function suggestedName({ path, database }: Draft): string {
  return database ?? path?.split(/[\\/]/).at(-1) ?? '';
}

/** The target of a connection, for people; never a password. */
export function shownTarget(connection: TypedConnection): string {
  if (connection.type === 'sqlite') return connection.path;
  return `${connection.host}:${connection.port}/${connection.database}`;
}

const CONTROL = /\p{Cc}/u;

/** The problem with a text that must not be empty. */
export function textProblem(what: string): (text: string) => string | undefined {
  return (text) => {
    if (text.trim() === '') return `${what} is needed.`;
    return CONTROL.test(text) ? `${what} must not contain control characters.` : undefined;
  };
}

/** The problem with a host. */
export function hostProblem(text: string): string | undefined {
  const host = text.trim();
  if (/^[a-z][\w+.-]*:\/\//i.test(host)) return 'This is a URL. Go back and choose "Paste a URL".';
  // A path is a socket, and a name with several colons an IPv6 address.
  if (/^[^/:[\]]+:\d+$/.test(host)) return 'Leave the port to the next step.';
  return textProblem('A host')(host);
}

/** The problem with a port. */
export function portProblem(text: string): string | undefined {
  const port = text.trim();
  const isPort = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536;
  return isPort ? undefined : 'A port is a number from 1 to 65535.';
}

/** The problem with the path of a database file, as far as its text shows. */
export function pathProblem(text: string): string | undefined {
  const path = text.trim();
  if (path.startsWith('~')) return 'Write the path in full: ~ is not resolved.';
  if (path === ':memory:') return 'An in-memory database is visible only to its own program.';
  return textProblem('A path')(path);
}

/** The problem with a name, which must differ from those taken. */
export function nameProblem(taken: readonly string[]): (text: string) => string | undefined {
  return (text) => {
    const plain = (name: string) => name.trim().replace(/\s+/g, '-');
    if (taken.some((name) => plain(name) === plain(text))) return 'A connection with this name exists.';
    return textProblem('A name')(text);
  };
}
