import { tmpdir } from 'node:os';
import type { EngineContext, ServerTarget } from '../../src/engines/engine.ts';
import { HeldBytes } from '../../src/engines/held-bytes.ts';
import { Secret } from '../../src/host/secret.ts';

/** The context that tests open engines with. */
export function engineContext(projectRoot = tmpdir(), bundleDir = '', held = new HeldBytes()): EngineContext {
  return { projectRoot, bundleDir, log: () => undefined, held };
}

/** The parts of a URL such as postgres://user:password@host:port/database. */
export function targetOf(url: string, usualPort: number): ServerTarget {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || usualPort),
    user: decodeURIComponent(username),
    password: new Secret(decodeURIComponent(password)),
    database: decodeURIComponent(pathname.slice(1)),
    options: {},
  };
}
