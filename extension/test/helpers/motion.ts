import * as z from 'zod';
import type { Locator } from '../../../fixtures/labs/vscode/playwright.ts';
import type { Window } from './editor-lab.ts';

/** More frames than any transition of ours would need to show itself. */
const FRAMES = 30;
/** A picture that is drawn anew may be a fraction of a dot beside the one that was moved. */
const SAME_PX = 2;

/** Has the window follow the system's wish for motion, as people's windows do; the lab's is still otherwise. */
export async function followSystem(window: Window, wish: 'reduce' | 'no-preference' | 'lab'): Promise<void> {
  if (wish !== 'lab') await window.page.emulateMedia({ reducedMotion: wish });
  await window.run(
    (vscode, value) => vscode.workspace.getConfiguration('workbench').update('reduceMotion', value, true),
    wish === 'lab' ? 'on' : 'auto',
  );
}

/** How many animations and transitions run in the page of this element. */
export async function animations(element: Locator): Promise<number> {
  const script = 'document.getAnimations().filter(({ playState }) => playState === "running").length';
  return z.number().parse(await element.evaluate(script));
}

const glideSchema = z.object({ moved: z.number(), between: z.number() });

/**
 * How far the first element of a selector moves when its page presses a button, and in how many frames it stands
 * neither where it was nor where it goes: none where it jumps.
 */
export async function glide(page: Locator, selector: string, button: string): Promise<z.infer<typeof glideSchema>> {
  const script = `(async () => {
    const shown = document.querySelector(${JSON.stringify(selector)});
    const place = () => { const { left, top, width } = shown.getBoundingClientRect(); return [left, top, width]; };
    const apart = (one, other) => Math.max(...one.map((value, at) => Math.abs(value - other[at])));
    const places = [place()];
    document.querySelector(${JSON.stringify(button)}).click();
    for (let frame = 0; frame < ${FRAMES}; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      places.push(place());
    }
    const [first, last] = [places[0], places.at(-1)];
    const between = places.filter((one) => apart(one, first) > ${SAME_PX} && apart(one, last) > ${SAME_PX});
    return { moved: apart(first, last), between: between.length };
  })()`;
  return glideSchema.parse(await page.evaluate(script));
}
