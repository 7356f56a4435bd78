import type { Window } from './editor-lab.ts';
import { until } from './until.ts';

/** A notification of the window: its message and its buttons. */
export interface Shown {
  readonly message: string;
  readonly buttons: readonly string[];
}

/** All notifications of the window that are not cleared, newest first, from its list of them. */
export async function notificationsOf(window: Window): Promise<Shown[]> {
  await window.command('notifications.showList');
  const items = window.page.locator('.notifications-center .notification-list-item:visible');
  const count = await items.count();
  const shown: Shown[] = [];
  for (let index = 0; index < count; index += 1) {
    const item = items.nth(index);
    const [message = ''] = await item.locator('.notification-list-item-message').allInnerTexts();
    const buttons = await item.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
    shown.push({ message, buttons });
  }
  return shown;
}

/** The notifications, once one of them matches. */
export async function notificationsWith(window: Window, fits: RegExp): Promise<Shown[]> {
  let shown: Shown[] = [];
  await until(`a notification fits ${fits}`, async () => {
    shown = await notificationsOf(window);
    return shown.some(({ message }) => fits.test(message));
  });
  return shown;
}
