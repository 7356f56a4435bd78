import type { Window } from './editor-lab.ts';

/** Waits for DevDB's question that says this, and answers it. */
export async function answerQuestion(window: Window, says: string, answer: 'once' | 'session' | 'no'): Promise<void> {
  // A page in a page: the editor's own frame around the one that holds the question.
  const page = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
  await page.locator(`text=${says}`).first().waitFor();
  await page.locator(`button[data-answer="${answer}"]:enabled`).click();
}
