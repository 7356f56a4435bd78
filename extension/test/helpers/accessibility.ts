import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Locator } from '../../../fixtures/labs/vscode/playwright.ts';
import type { Theme } from '../../../fixtures/labs/vscode/window.ts';
import type { Window } from './editor-lab.ts';
import { until } from './until.ts';

const violationsSchema = z.array(
  z.object({ id: z.string(), impact: z.string().nullish(), help: z.string(), nodes: z.array(z.string()) }),
);

/** What axe-core finds in the page of this element, however slight, each with the markup that it is about. */
async function accessibilityProblems(element: Locator): Promise<string[]> {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  const found = await element.evaluate(`(async () => {
    if (window.axe === undefined) { ${axe} }
    const { violations } = await window.axe.run(document);
    return violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.map(({ html }) => html) }));
  })()`);
  return violationsSchema
    .parse(found)
    .map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help} (${nodes.slice(0, 3).join(' ')})`);
}

/** How the editor marks a page in each theme; a light high contrast is marked as a high contrast too. */
const MARKS: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast-light',
};

/** Takes a picture in every theme; returns what axe-core finds in the page of this element, in any of them. */
export async function problemsInThemes(window: Window, name: string, element: Locator): Promise<string[]> {
  const found: string[] = [];
  await window.screenshots(name, async (theme) => {
    // The page has the theme a moment after the editor around it.
    const marks = async () => String(await element.evaluate('document.body.className')).split(' ');
    const isShown = async () =>
      (await marks()).includes(MARKS[theme]) &&
      (theme !== 'high-contrast' || !(await marks()).includes(MARKS['high-contrast-light']));
    await until(`the page is shown in ${theme}`, isShown);
    found.push(...(await accessibilityProblems(element)).map((problem) => `${theme}: ${problem}`));
  });
  return found;
}
