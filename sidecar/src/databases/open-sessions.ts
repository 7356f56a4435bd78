import type { EngineContext, EngineKind, Guard, ServerTarget, Session, Target } from '../engines/engine.ts';

/** What the pool needs to know of a connection to open it. */
export interface Openable {
  readonly id: string;
  readonly kind: EngineKind;
  readonly target: Target;
}

export type OpenEngine = (kind: EngineKind, target: Target, context: EngineContext) => Promise<Session>;

/** The sessions that one call works on. None of them is ended before the call lets go, but with the project. */
export interface Lease {
  session(wanted: Openable): Promise<Session>;
  /** Safe to call twice. */
  release(): void;
}

interface Slot {
  readonly target: Target;
  readonly opening: Promise<Session>;
  /** How many calls work on it. */
  users: number;
  session: Session | undefined;
  /** The settings of its connection were edited: no further call gets it. */
  isRetired: boolean;
}

/** The open databases of one project: opened on first use, shared by all callers, closed with the project. */
export class OpenSessions {
  readonly #slots = new Map<string, Slot>();
  /** Sessions of settings that hold no more, until the calls that work on them are over and they have ended. */
  readonly #retired = new Map<Slot, Promise<void> | undefined>();
  readonly #openEngine: OpenEngine;
  readonly #context: EngineContext;
  #ended = false;

  constructor(openEngine: OpenEngine, context: EngineContext) {
    this.#openEngine = openEngine;
    this.#context = context;
  }

  /** For one call, which lets go of it when it is over. */
  lease(): Lease {
    const held = new Set<Slot>();
    return {
      session: async (wanted) => {
        const slot = this.#slotOf(wanted);
        if (!held.has(slot)) slot.users += 1;
        held.add(slot);
        return slot.opening;
      },
      release: () => {
        for (const slot of held) this.#leave(slot);
        held.clear();
      },
    };
  }

  /** How strongly an open session guards its reads; undefined where no call has opened one with these settings. */
  guardOf({ id, target }: Openable): Guard | undefined {
    const slot = this.#slots.get(id);
    return slot && samePlace(slot.target, target) ? slot.session?.guard : undefined;
  }

  async end(): Promise<void> {
    this.#ended = true;
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    const retired = [...this.#retired].map(([slot, ending]) => ending ?? this.#endRetired(slot));
    await Promise.all([...slots.map(endOpened), ...retired]);
  }

  #slotOf({ id, kind, target }: Openable): Slot {
    if (this.#ended) throw new Error('The project is closing; no database can be opened.');
    const known = this.#slots.get(id);
    if (known && sameTarget(known.target, target)) return known;
    const opening = this.#openEngine(kind, target, this.#context);
    const slot: Slot = { target, opening, users: 0, session: undefined, isRetired: false };
    this.#slots.set(id, slot);
    opening.then(
      (session) => {
        slot.session = session;
      },
      // Told to those who wait for it; the next call tries anew.
      () => {
        if (this.#slots.get(id) === slot) this.#slots.delete(id);
      },
    );
    if (known) this.#retire(known);
    return slot;
  }

  #retire(slot: Slot): void {
    slot.isRetired = true;
    this.#retired.set(slot, undefined);
    if (slot.users === 0) this.#endRetired(slot);
  }

  #leave(slot: Slot): void {
    slot.users -= 1;
    if (slot.isRetired && slot.users === 0 && this.#retired.get(slot) === undefined) this.#endRetired(slot);
  }

  /** Behind the calls: what goes wrong with settings that hold no more is nobody's answer. */
  #endRetired(slot: Slot): Promise<void> {
    const ending = endOpened(slot)
      .catch((error: unknown) => this.#context.log('session-end-failed', { error: String(error) }))
      .finally(() => this.#retired.delete(slot));
    this.#retired.set(slot, ending);
    return ending;
  }
}

/** One that could not be opened needs no end. */
async function endOpened({ opening }: Slot): Promise<void> {
  const [opened] = await Promise.allSettled([opening]);
  if (opened.status === 'fulfilled') await opened.value.end();
}

/** Secrets compare by value: a changed password is another target. */
function sameTarget(a: Target, b: Target): boolean {
  return a === b || fingerprint(a) === fingerprint(b);
}

function fingerprint(target: Target): string {
  if ('file' in target) return target.file;
  return JSON.stringify([{ ...target, password: target.password?.open() }]);
}

/** The same but for the password, which a command may give anew for each connection, and for its approval. */
function samePlace(a: Target, b: Target): boolean {
  if ('file' in a || 'file' in b) return sameTarget(a, b);
  const place = (target: ServerTarget) => ({ ...target, password: undefined, approved: undefined });
  return sameTarget(place(a), place(b));
}
