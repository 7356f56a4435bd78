import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 20;
const WITHIN_MS = 20_000;

/** Resolves when the condition holds, for what no event tells; fails with the sentence when that takes too long. */
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
