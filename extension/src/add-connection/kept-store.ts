import type { KeptDatabases, Login, TypedConnection } from '@devdb/shared/protocol/connection-methods';

/** The part of the editor's secret storage that is used here. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const PREFIX = 'connections:';
const NOTHING: KeptDatabases = { connections: [], passwords: [] };

/**
 * What the user entered for a project, stored in the editor's secret storage and nowhere else: all of it, because only
 * that storage notifies other windows of a change.
 */
export class KeptStore {
  readonly #secrets: Secrets;
  #last: Promise<unknown> = Promise.resolve();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The project a changed key belongs to; undefined for other keys. */
  static rootOf(key: string): string | undefined {
    return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
  }

  async read(root: string): Promise<KeptDatabases> {
    const text = await this.#secrets.get(PREFIX + root);
    if (text === undefined) return NOTHING;
    const { keptConnectionsSchema } = await import('@devdb/shared/protocol/connection-methods');
    return keptConnectionsSchema().parse(JSON.parse(text));
  }

  /** Stores a connection, replacing one of the same name. */
  addConnection(root: string, connection: TypedConnection): Promise<void> {
    return this.#change(root, (kept) => ({
      ...kept,
      connections: [...kept.connections.filter(({ name }) => name !== connection.name), connection],
    }));
  }

  /** Forgets a connection, and its password when no other connection has the same login. */
  removeConnection(root: string, name: string): Promise<void> {
    return this.#change(root, ({ connections, passwords }) => {
      const removed = connections.find((one) => one.name === name);
      const left = connections.filter((one) => one.name !== name);
      if (removed === undefined || removed.type === 'sqlite') return { connections: left, passwords };
      const isNeeded = left.some((one) => one.type !== 'sqlite' && isSameLogin(one, removed));
      return { connections: left, passwords: isNeeded ? passwords : without(passwords, removed) };
    });
  }

  /** Stores the password of a login; an empty one is forgotten. */
  setPassword(root: string, { type, host, port, username, database }: Login, password: string): Promise<void> {
    const login = { type, host, port, username, database };
    return this.#change(root, ({ connections, passwords }) => ({
      connections,
      passwords: [...without(passwords, login), ...(password === '' ? [] : [{ login, password }])],
    }));
  }

  /** One at a time, so that each reads what the previous one wrote. */
  #change(root: string, change: (kept: KeptDatabases) => KeptDatabases): Promise<void> {
    const turn = this.#last.then(async () => {
      const kept = change(await this.read(root));
      const isEmpty = kept.connections.length === 0 && kept.passwords.length === 0;
      await (isEmpty ? this.#secrets.delete(PREFIX + root) : this.#secrets.store(PREFIX + root, JSON.stringify(kept)));
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function without(passwords: KeptDatabases['passwords'], login: Login): KeptDatabases['passwords'] {
  return passwords.filter((one) => !isSameLogin(one.login, login));
}

/** MariaDB and MySQL logins are the same. */
function isSameLogin(a: Login, b: Login): boolean {
  const facts = ({ type, host, port, username, database }: Login) =>
    JSON.stringify([type === 'mariadb' ? 'mysql' : type, host.toLowerCase(), port, username, database]);
  return facts(a) === facts(b);
}
