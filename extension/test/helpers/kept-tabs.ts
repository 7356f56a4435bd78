import type { Window } from './editor-lab.ts';
import { until } from './until.ts';

/** Whether the editor's own storage has a text; it is written every few seconds. */
const HAS = `(async (text) => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await done(indexedDB.open(name));
    const tables = [...database.objectStoreNames];
    const values = await Promise.all(
      tables.map((table) => done(database.transaction(table).objectStore(table).getAll())),
    );
    database.close();
    if (JSON.stringify(values).includes(text)) return true;
  }
  return false;
})`;

/** Resolves when the editor has saved its tabs, one of which keeps this text. */
export async function tabKept(window: Window, text: string): Promise<void> {
  await until(`the editor has saved ${text}`, async () => {
    return (await window.page.evaluate(`${HAS}(${JSON.stringify(text)})`)) === true;
  });
}
