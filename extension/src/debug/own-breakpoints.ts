import { AppError } from '@devdb/shared/errors';

/** What a person can write into a breakpoint. */
interface Written {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

/** The breakpoints that tools have set. One that the user has written into since is the user's. */
export class OwnBreakpoints<Breakpoint extends Written> {
  readonly #asSet = new WeakMap<Breakpoint, string>();

  add(breakpoint: Breakpoint): void {
    this.#asSet.set(breakpoint, textOf(breakpoint));
  }

  has(breakpoint: Breakpoint): boolean {
    return this.#asSet.get(breakpoint) === textOf(breakpoint);
  }

  /** The editor cannot bring back what is removed, so that the user's own go only with the user's yes. */
  mayRemove(some: readonly Breakpoint[], { approved }: { readonly approved: boolean }): void {
    const theirs = some.filter((one) => !this.has(one)).length;
    if (approved || theirs === 0) return;
    const what = theirs === 1 ? 'One of the breakpoints was' : `${theirs} of the breakpoints were`;
    throw new AppError('E_CONFIRMATION_REQUIRED', `${what} set by the user.`, {
      hint: 'Ask the user, or remove your own with breakpoint_remove.',
    });
  }
}

function textOf({ condition, hitCondition, logMessage }: Written): string {
  return JSON.stringify([condition, hitCondition, logMessage]);
}
