import { setTimeout as pause } from 'node:timers/promises';

/** Looking costs the window time that the thing waited for needs as well: the longer it takes, the rarer a look. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 160;
/** A busy machine needs a multiple of the second or two that things take. */
const WITHIN_MS = 40_000;

/** Resolves when the condition holds, for what no event reports; fails with the sentence after the time limit. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let ms = FIRST_PAUSE_MS; !(await condition()); ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await pause(ms);
  }
}
