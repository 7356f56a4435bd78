import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 20;
/** A busy machine needs a multiple of the second or two that things take. */
const WITHIN_MS = 40_000;

/** Resolves when the condition holds, for what no event reports; fails with the sentence after the time limit. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await pause(LOOK_AGAIN_MS);
  }
}
