import type { TokenlessPolicy } from '@devdb/shared/protocol/handshake';
import type { Gate } from '../dispatch/gate.ts';
import { type HttpDoors, type HttpOptions, openHttp } from '../doors/http/http-server.ts';
import { OpenGuard } from '../doors/http/open-guard.ts';
import { TokenGuard } from '../doors/http/request-guard.ts';
import { FIRST_TOKENLESS_PORT, LAST_TOKENLESS_PORT } from './limits.ts';

/** What may be called without the token. */
export type Tokenless = Exclude<TokenlessPolicy, 'off'>;

interface Open {
  readonly what: Tokenless;
  readonly port: number;
  readonly doors: HttpDoors;
}

/** The listener without a token that a user asked for: the dialect of bridges alone, on the first free port of its range. */
export class TokenlessListener {
  readonly #options: HttpOptions;
  readonly #ports: readonly number[];
  #open: Open | undefined;

  constructor(options: HttpOptions, ports: readonly number[] = PORTS) {
    this.#options = options;
    this.#ports = ports;
  }

  /** Where it listens, while it does. */
  get port(): number | undefined {
    return this.#open?.port;
  }

  /** Listens for just this from now on, on the first of these ports that is free. */
  async set(what: TokenlessPolicy, ports = this.#ports): Promise<void> {
    const isThere = this.#open?.what === what && ports.includes(this.#open.port);
    if (isThere || (what === 'off' && this.#open === undefined)) return;
    await this.end();
    if (what !== 'off') await this.#listen(what, ports);
  }

  async end(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.doors.close();
  }

  async #listen(what: Tokenless, ports: readonly number[]): Promise<void> {
    const { gate, token, log } = this.#options;
    const doors = openHttp({
      ...this.#options,
      gate: what === 'all' ? gate : readsOnly(gate),
      bridgesOnly: true,
      guard: (port) => new OpenGuard(new TokenGuard(port, token, gate.projectRoot)),
    });
    for (const port of ports) {
      try {
        await doors.listen(port);
        this.#open = { what, port, doors };
        return;
      } catch (error) {
        if (!isTaken(error)) {
          await doors.close();
          throw error;
        }
      }
    }
    await doors.close();
    log('tokenless-ports-taken', { first: ports[0], last: ports.at(-1), projectRoot: gate.projectRoot });
  }
}

/** All ports of a range. */
export function portsOf({ first, last }: { readonly first: number; readonly last: number }): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

const PORTS = portsOf({ first: FIRST_TOKENLESS_PORT, last: LAST_TOKENLESS_PORT });

/** The gate without its tools that change something: they are neither listed nor found. */
function readsOnly(gate: Gate): Gate {
  let of: Gate['tools'] | undefined;
  let tools: Gate['tools'] = [];
  return {
    projectRoot: gate.projectRoot,
    // The same list for the same tools: doors keep what they made of it.
    get tools() {
      if (of !== gate.tools) {
        of = gate.tools;
        tools = of.filter(({ annotations }) => annotations.readOnlyHint);
      }
      return tools;
    },
    run: (name, input, caller) => gate.run(name, input, caller),
  };
}

/** Windows keeps ranges of ports for itself and says EACCES. */
function isTaken(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'EADDRINUSE' || code === 'EACCES';
}
