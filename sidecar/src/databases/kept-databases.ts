import { isAbsolute, join } from 'node:path';
import { withTimeout } from '@devdb/shared/abort';
import { SERVERS } from '@devdb/shared/engines';
import { KEPT_CONNECTIONS_TIMEOUT_MS } from '@devdb/shared/limits';
import type { KeptDatabases, Login, TypedConnection } from '@devdb/shared/protocol/connection-methods';
import { type Detection, type Finding, PRIORITY } from '../detection/detector.ts';
import type { EngineKind, ServerTarget, Target } from '../engines/engine.ts';
import type { LogEvent } from '../host/log.ts';
import { Secret } from '../host/secret.ts';
import { KEPT_CONNECTIONS_AGAIN_MS } from './limits.ts';

/** Asks the editor what it stores for the project. */
export type AskEditor = (signal: AbortSignal) => Promise<KeptDatabases>;

export interface KeptOptions {
  readonly ask: AskEditor;
  readonly now: () => number;
  readonly log: LogEvent;
}

interface Kept {
  readonly connections: readonly TypedConnection[];
  readonly passwords: ReadonlyMap<string, Secret>;
}

const NOTHING: Kept = { connections: [], passwords: new Map() };
const NAME = 'editor';
const PLACE = 'VS Code';

/**
 * What the user entered in the editor for one project: databases known on this machine only, and passwords for entries
 * of `.devdbrc`. Requested during detection, and again once the editor reports a change; none of it is written
 * anywhere.
 */
export class EditorKept {
  readonly #options: KeptOptions;
  #kept = NOTHING;
  /** When to ask (again); undefined while the last answer is current. */
  #askAt: number | undefined = 0;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** Whether the editor has to be asked before the next call. */
  get stale(): boolean {
    return this.#askAt !== undefined && this.#askAt <= this.#options.now();
  }

  /** The user changed something in the editor. */
  changed(): void {
    this.#askAt = 0;
  }

  /** The same for doctor's report. */
  readonly lookedFor = { by: NAME, files: ['connections added in VS Code'] } as const;

  /** The databases the editor stores for a project. */
  async detect(root: string, signal: AbortSignal): Promise<Detection> {
    const problem = await this.#askEditor(signal);
    const found = this.#kept.connections.map((connection, index) => finding(root, connection, index));
    return { found, skipped: problem === undefined ? [] : [{ file: PLACE, reason: problem }] };
  }

  /** The password the editor stores for exactly this login. */
  passwordFor(kind: EngineKind, target: ServerTarget): Secret | undefined {
    const { host, port, user: username, database } = target;
    return this.#kept.passwords.get(keyOf(kind, { host, port, username, database }));
  }

  async #askEditor(signal: AbortSignal): Promise<string | undefined> {
    if (!this.stale) return undefined;
    const { ask, now, log } = this.#options;
    // Cleared first, so that a change during the answer leads to another request.
    this.#askAt = undefined;
    try {
      const { connections, passwords } = await ask(withTimeout(signal, KEPT_CONNECTIONS_TIMEOUT_MS));
      const byLogin = passwords.map(
        ({ login, password }) => [keyOf(SERVERS[login.type].kind, login), new Secret(password)] as const,
      );
      this.#kept = { connections, passwords: new Map(byLogin) };
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      log('kept-connections-unknown', { error: String(error) });
      this.#askAt ??= now() + KEPT_CONNECTIONS_AGAIN_MS;
      return 'the editor did not report the connections added in it; DevDB asks again';
    }
  }
}

/** An entered connection in the form the engines take. */
export function targetOf(root: string, connection: TypedConnection, password: string | undefined): Target {
  if (connection.type === 'sqlite') {
    return { file: isAbsolute(connection.path) ? connection.path : join(root, connection.path) };
  }
  const { host, port, username: user, database, options = {} } = connection;
  const secret = password === undefined ? undefined : new Secret(password);
  return { host, port, user, database, options, password: secret, approved: true };
}

/** The engine of an entered connection. */
export function kindOf({ type }: Pick<TypedConnection, 'type'>): EngineKind {
  return type === 'sqlite' ? 'sqlite' : SERVERS[type].kind;
}

function finding(root: string, connection: TypedConnection, index: number): Finding {
  return {
    id: `${NAME}:${connection.name.trim().replace(/\s+/g, '-')}`,
    name: connection.name,
    kind: kindOf(connection),
    target: targetOf(root, connection, undefined),
    source: { file: PLACE, by: NAME },
    priority: PRIORITY.editor + index,
    typedIn: true,
  };
}

function keyOf(kind: EngineKind, { host, port, username, database }: Omit<Login, 'type'>): string {
  return JSON.stringify([kind, host.toLowerCase(), port, username, database]);
}
