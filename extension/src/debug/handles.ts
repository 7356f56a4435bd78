/** What a number in an answer stands for: a frame, or a container of variables, in one session. */
export interface Handle<Owner> {
  readonly owner: Owner;
  readonly kind: 'frame' | 'variables';
  /** The adapter's own number, which other sessions may use for something else. */
  readonly id: number;
  /** Of a container: how many elements it has, by number. */
  readonly indexed?: number | undefined;
}

/** What gives out handles: they hold until its epoch changes. */
export interface HandleOwner {
  readonly epoch: number;
}

export type Found<Owner> = { readonly handle: Handle<Owner> } | { readonly problem: 'unknown' | 'stale' };

interface Given<Owner> extends Handle<Owner> {
  readonly epoch: number;
}

/**
 * Numbers for frames and variables that are never used twice. An adapter begins anew at every stop, so that its own
 * number of an earlier stop would silently name something else.
 */
export class Handles<Owner extends HandleOwner> {
  readonly #given = new Map<number, Given<Owner>>();
  readonly #numbers = new Map<Owner, { epoch: number; readonly byKey: Map<string, number> }>();
  #last = 0;

  /** The number for it; the same as long as it holds. */
  give({ owner, kind, id, indexed }: Handle<Owner>): number {
    const byKey = this.#numbersOf(owner);
    const key = `${kind} ${id}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    this.#last += 1;
    byKey.set(key, this.#last);
    this.#given.set(this.#last, { owner, kind, id, indexed, epoch: owner.epoch });
    return this.#last;
  }

  find(number: number, kind: Handle<Owner>['kind']): Found<Owner> {
    const given = this.#given.get(number);
    if (given === undefined) return { problem: number >= 1 && number <= this.#last ? 'stale' : 'unknown' };
    if (given.kind !== kind) return { problem: 'unknown' };
    return given.epoch === given.owner.epoch ? { handle: given } : { problem: 'stale' };
  }

  /** Forgets what a session has given out. */
  forget(owner: Owner): void {
    for (const number of this.#numbers.get(owner)?.byKey.values() ?? []) this.#given.delete(number);
    this.#numbers.delete(owner);
  }

  #numbersOf(owner: Owner): Map<string, number> {
    const known = this.#numbers.get(owner);
    if (known?.epoch === owner.epoch) return known.byKey;
    this.forget(owner);
    const fresh = { epoch: owner.epoch, byKey: new Map<string, number>() };
    this.#numbers.set(owner, fresh);
    return fresh.byKey;
  }
}
