import * as z from 'zod';
import type { Locator } from '../../../fixtures/labs/vscode/playwright.ts';

const movedSchema = z.object({ times: z.array(z.number()), changed: z.array(z.string()) });

/** Zooms for 30 frames and pans for 30, an event a frame, and notes what changes besides the picture as a whole. */
const SCRIPT = `(async () => {
  const canvas = document.querySelector('.canvas');
  const changed = new Set();
  const watch = new MutationObserver((changes) => {
    for (const { target, type, addedNodes } of changes) {
      if (!target.matches('svg') || addedNodes.length > 0) changed.add(type + ' ' + target.nodeName);
    }
  });
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const middle = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  const times = [];
  let before = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 60; frame += 1) {
    const sign = frame % 10 < 5 ? 1 : -1;
    const way = frame < 30 ? { deltaY: 8 * sign, ctrlKey: true } : { deltaX: 40 * sign, deltaY: 40 * sign };
    canvas.dispatchEvent(new WheelEvent('wheel', { ...middle, ...way }));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    // What was to be drawn before the first move has been by now.
    if (frame === 0) watch.observe(canvas, { subtree: true, childList: true, attributes: true });
    before = now;
  }
  watch.disconnect();
  return { times: times.sort((one, other) => one - other), changed: [...changed] };
})()`;

/** Moves the diagram of a page: the time of each frame, shortest first, and what was drawn anew. */
export async function movedDiagram(element: Locator): Promise<z.infer<typeof movedSchema>> {
  return movedSchema.parse(await element.evaluate(SCRIPT));
}
