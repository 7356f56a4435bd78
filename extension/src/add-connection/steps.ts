/** A step's number among those known so far. */
export interface Place {
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
}

/** The person wants to go back one step. */
export const BACK = Symbol('back');
export type Back = typeof BACK;

/** One step of a wizard. Returns the state with the person's answer, BACK, or undefined when they gave up. */
export interface Step<State> {
  readonly run: (state: State, place: Place) => Promise<State | Back | undefined>;
  /** Asks nothing, so that going back skips it. */
  readonly isSilent?: true;
}

/**
 * Runs the steps of a wizard, which may depend on earlier answers. Entered values stay when a person goes back.
 * Undefined when they gave up.
 */
export async function runSteps<State>(
  first: State,
  stepsFor: (state: State) => readonly Step<State>[],
): Promise<State | undefined> {
  let state = first;
  let at = 0;
  for (;;) {
    const steps = stepsFor(state);
    const step = steps[at];
    if (step === undefined) return state;
    const asking = steps.filter((one) => !one.isSilent);
    const place = { step: asking.indexOf(step) + 1, totalSteps: asking.length, canGoBack: at > 0 };
    const outcome = await step.run(state, place);
    if (outcome === undefined) return undefined;
    if (outcome === BACK) {
      at -= 1;
      while (at > 0 && stepsFor(state)[at]?.isSilent) at -= 1;
      at = Math.max(at, 0);
    } else {
      state = outcome;
      at += 1;
    }
  }
}
