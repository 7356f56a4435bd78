import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { npmPackage } from '../../../fixtures/labs/npm-cache.ts';
import type { Locator } from '../../../fixtures/labs/vscode/playwright.ts';

const AXE_VERSION = '4.14.1';
const SERIOUS = ['serious', 'critical'];

const violationsSchema = z.array(
  z.object({ id: z.string(), impact: z.string().nullable(), help: z.string(), nodes: z.array(z.string()) }),
);

/** What axe-core finds in the page of this element, each with the markup it is about: what is serious or worse. */
export async function seriousProblems(element: Locator): Promise<string[]> {
  const axe = readFileSync(join(await npmPackage('axe-core', AXE_VERSION), 'axe.min.js'), 'utf8');
  const found = await element.evaluate(`(async () => {
    if (window.axe === undefined) { ${axe} }
    const { violations } = await window.axe.run(document);
    return violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.map(({ html }) => html) }));
  })()`);
  return violationsSchema
    .parse(found)
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.slice(0, 3).join(' ')})`);
}
