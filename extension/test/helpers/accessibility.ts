import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Locator } from '../../../fixtures/labs/vscode/playwright.ts';

const violationsSchema = z.array(
  z.object({ id: z.string(), impact: z.string().nullish(), help: z.string(), nodes: z.array(z.string()) }),
);

/** What axe-core finds in the page of this element, however slight, each with the markup that it is about. */
export async function accessibilityProblems(element: Locator): Promise<string[]> {
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

/** Those of them that are serious or worse. */
export async function seriousProblems(element: Locator): Promise<string[]> {
  return (await accessibilityProblems(element)).filter((one) => /^(?:serious|critical) /.test(one));
}
