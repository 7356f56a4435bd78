import type { Window } from './editor-lab.ts';

/** The question that DevDB shows. A page in a page: the editor's own frame around the one that holds the question. */
function questionPage(window: Window) {
  // The last one: a view in the side bar has been there before.
  const frame = window.page.locator('iframe.webview').last().contentFrame();
  return frame.frameLocator('iframe#active-frame').locator('main');
}

/**
 * Makes a call until the question that says this is there. Every change has to be refused before: the sidecar follows
 * a setting a moment after the editor, and a call must not go through meanwhile.
 */
export async function callUntilAsked<T>(
  window: Window,
  says: string,
  call: () => Promise<T>,
): Promise<{ running: Promise<T> }> {
  const isShown = questionPage(window).locator(`text=${says}`).first().waitFor();
  for (;;) {
    const running = call();
    const first = await Promise.race([isShown.then(() => 'shown'), running.then(() => 'refused')]);
    if (first === 'shown') return { running };
  }
}

/** Waits for DevDB's question that says this, and answers it. */
export async function answerQuestion(window: Window, says: string, answer: 'once' | 'session' | 'no'): Promise<void> {
  const page = questionPage(window);
  await page.locator(`text=${says}`).first().waitFor();
  await page.locator(`button[data-answer="${answer}"]:enabled`).click();
}
