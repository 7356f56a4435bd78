import type { EngineContext, EngineKind, Guard, ServerTarget, Session, Target } from '../engines/engine.ts';

/** What is needed to open a session. */
export interface Openable {
  readonly id: string;
  readonly kind: EngineKind;
  readonly target: Target;
}

export type OpenEngine = (kind: EngineKind, target: Target, context: EngineContext) => Promise<Session>;

/** The sessions one call works on. None of them ends before the call releases them, unless the project ends. */
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
  /** Its settings were edited: no further call gets it. */
  isRetired: boolean;
}

/** The open sessions of one project: opened on first use, shared by all callers, closed with the project. */
export class OpenSessions {
  readonly #slots = new Map<string, Slot>();
  /** Sessions with outdated settings, until their calls are over and they have ended. */
  readonly #retired = new Map<Slot, Promise<void> | undefined>();
  readonly #openEngine: OpenEngine;
  readonly #context: EngineContext;
  #ended = false;

  constructor(openEngine: OpenEngine, context: EngineContext) {
    this.#openEngine = openEngine;
    this.#context = context;
  }

  /** For one call, which releases it at its end. */
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
      // Reported to the callers waiting for it; the next call tries again.
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

  /** Runs after the calls: a failure to close outdated sessions is not part of any answer. */
  #endRetired(slot: Slot): Promise<void> {
    const ending = endOpened(slot)
      .catch((error: unknown) => this.#context.log('session-end-failed', { error: String(error) }))
      .finally(() => this.#retired.delete(slot));
    this.#retired.set(slot, ending);
    return ending;
  }
}

/** A session that failed to open needs no end. */
async function endOpened({ opening }: Slot): Promise<void> {
  const [opened] = await Promise.allSettled([opening]);
  if (opened.status === 'fulfilled') await opened.value.end();
}

/** Compares secrets by value: with a changed password it is another target. */
function sameTarget(a: Target, b: Target): boolean {
  return a === b || fingerprint(a) === fingerprint(b);
}

function fingerprint(target: Target): string {
  if ('file' in target) return target.file;
  return JSON.stringify([{ ...target, password: target.password?.open() }]);
}

/** The same except for the password, which a command may give anew for each connection, and the approval. */
function samePlace(a: Target, b: Target): boolean {
  if ('file' in a || 'file' in b) return sameTarget(a, b);
  const place = (target: ServerTarget) => ({ ...target, password: undefined, approved: undefined });
  return sameTarget(place(a), place(b));
}
