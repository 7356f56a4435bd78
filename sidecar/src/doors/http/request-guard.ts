import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import { HEADERS } from '@devdb/shared/protocol/http';
import type { Secret } from '../../host/secret.ts';
import { canonicalRoot, lexicalRoot } from '../../registry/project-root.ts';

const SCHEME = 'bearer ';
/** Node gives each byte of a header as one character: one beyond ASCII was not percent-encoded. */
const UNENCODED = /[\u0080-\uffff]/;

/** Decides from the headers alone whether a request is served, before any of it is parsed. */
export interface RequestGuard {
  /** The refusal of a request because of where it comes from. */
  source(req: IncomingMessage): AppError | undefined;
  isAuthorized(req: IncomingMessage): boolean;
  /** The refusal of a request that names another project. */
  project(req: IncomingMessage): AppError | undefined;
  /** Whether the request names this project, which shows that its sender knows the path. */
  namesProject(req: IncomingMessage): boolean;
}

/** Lets in callers on this machine that present the token. */
export class TokenGuard implements RequestGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #token: Buffer;
  readonly #projectRoot: string;
  readonly #encodedRoot: string;

  constructor(port: number, token: Secret, projectRoot: string) {
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
    this.#hosts = new Set(hosts);
    this.#origins = new Set(hosts.map((host) => `http://${host}`));
    this.#token = Buffer.from(token.open(), 'latin1');
    this.#projectRoot = projectRoot;
    this.#encodedRoot = encodeURIComponent(projectRoot);
  }

  /** A web page can reach loopback under any host name it controls, and the browser sends the page's origin. */
  source(req: IncomingMessage): AppError | undefined {
    const { host, origin } = req.headers;
    if (host === undefined || !isOneOf(this.#hosts, host) || hasTwoHosts(req)) {
      return new AppError('E_FORBIDDEN', 'The Host header does not name this listener.', {
        hint: 'Call it as 127.0.0.1 or localhost, with its port.',
      });
    }
    if (origin !== undefined && !isOneOf(this.#origins, origin)) {
      return new AppError('E_FORBIDDEN', 'Requests from web pages are not served.', {
        hint: 'Leave the Origin header out.',
      });
    }
    return undefined;
  }

  isAuthorized(req: IncomingMessage): boolean {
    const given = req.headers.authorization;
    if (given === undefined || given.length !== SCHEME.length + this.#token.length) return false;
    if (given.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return false;
    const token = Buffer.from(given.slice(SCHEME.length), 'latin1');
    return token.length === this.#token.length && timingSafeEqual(token, this.#token);
  }

  /** A caller that names a project is served by that project or not at all. */
  project(req: IncomingMessage): AppError | undefined {
    const given = req.headers[HEADERS.projectRoot];
    if (given === undefined || given === this.#encodedRoot) return undefined;
    const root = typeof given === 'string' && !UNENCODED.test(given) ? decoded(given) : undefined;
    if (root === undefined) {
      return new AppError('E_INVALID_PARAMS', `The header ${HEADERS.projectRoot} is not percent-encoded UTF-8.`, {
        hint: 'Encode the path with encodeURIComponent.',
      });
    }
    if (lexicalRoot(root, process.platform) === this.#projectRoot) return undefined;
    // Another path to the same folder (a link) is this project too; the disk is read only for callers with the token.
    if (this.isAuthorized(req) && this.#isRealPathOf(root)) return undefined;
    return new AppError('E_WRONG_PROJECT', 'This port serves another project.', {
      hint: 'Read the registry again for the port of that project.',
    });
  }

  #isRealPathOf(path: string): boolean {
    const canonical = canonicalRoot(path);
    return canonical.ok && canonical.root === this.#projectRoot;
  }

  namesProject(req: IncomingMessage): boolean {
    return req.headers[HEADERS.projectRoot] !== undefined && this.project(req) === undefined;
  }
}

/** Percent-decodes text from a URL or a header; undefined when it is malformed. */
export function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// Node keeps the first Host and drops the rest; a program that reads the last one would see another host.
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

// Host names are compared without case; most callers send them in lower case already.
function isOneOf(set: ReadonlySet<string>, value: string): boolean {
  return set.has(value) || set.has(value.toLowerCase());
}
