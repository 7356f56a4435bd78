import type { Locator } from '../../../fixtures/labs/vscode/playwright.ts';
import type { Window } from './editor-lab.ts';

/** The question that DevDB shows. A page in a page: the editor's own frame around the one that holds the question. */
export function questionPage(window: Window): Locator {
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

/** Waits for DevDB's question that says this, answers it, and returns its whole text. */
export async function answerQuestion(
  window: Window,
  says: string,
  answer: 'once' | 'session' | 'no',
): Promise<string | null> {
  const page = questionPage(window);
  await page.locator(`text=${says}`).first().waitFor();
  const text = await page.textContent();
  // Not awaited until it is gone: the next question may be there at once.
  await page.locator(`button[data-answer="${answer}"]:enabled`).click();
  return text;
}
