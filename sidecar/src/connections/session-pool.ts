import type { EngineContext, EngineKind, Session, Target } from '../engines/engine.ts';

/** What the pool needs to know of a connection to open it. */
export interface Openable {
  readonly id: string;
  readonly kind: EngineKind;
  readonly target: Target;
}

export type OpenEngine = (kind: EngineKind, target: Target, context: EngineContext) => Promise<Session>;

interface Slot {
  readonly target: Target;
  readonly session: Promise<Session>;
}

/** The open databases of one project: opened on first use, shared by all callers, closed with the project. */
export class SessionPool {
  readonly #slots = new Map<string, Slot>();
  readonly #openEngine: OpenEngine;
  readonly #context: EngineContext;
  #ended = false;

  constructor(openEngine: OpenEngine, context: EngineContext) {
    this.#openEngine = openEngine;
    this.#context = context;
  }

  async session({ id, kind, target }: Openable): Promise<Session> {
    if (this.#ended) throw new Error('The project is closing; no database can be opened any more.');
    const known = this.#slots.get(id);
    if (known && sameTarget(known.target, target)) return known.session;
    const slot: Slot = { target, session: this.#openEngine(kind, target, this.#context) };
    this.#slots.set(id, slot);
    // The settings of this connection were edited: what still runs on the old one is ended.
    if (known) await (await known.session).end();
    try {
      return await slot.session;
    } catch (error) {
      if (this.#slots.get(id) === slot) this.#slots.delete(id);
      throw error;
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.all(slots.map(async (slot) => (await slot.session).end()));
  }
}

/** Secrets compare by value: a changed password is another target. */
function sameTarget(a: Target, b: Target): boolean {
  return a === b || fingerprint(a) === fingerprint(b);
}

function fingerprint(target: Target): string {
  if ('file' in target) return target.file;
  return JSON.stringify([{ ...target, password: target.password?.open() }]);
}
