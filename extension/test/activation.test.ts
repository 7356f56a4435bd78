import { TOOLSETS } from '@devdb/shared/tools';
import { activationMs } from './helpers/activation-profile.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { startOnSample } from './helpers/sample-window.ts';

/** How long the extension host may spend on DevDB in its first seconds. A busy machine takes several times as long. */
const BUDGET_MS = 50;
const BUSY = 6;

describeEditor('activation', () => {
  let editor: Editor;
  let window: Window;

  beforeAll(async () => {
    ({ editor, window } = await startOnSample({
      settings: { 'Devdb.mcp.toolsets': TOOLSETS },
      env: { DEVDB_LAB_PROFILE: '1' },
    }));
  });

  afterAll(() => editor?.stop());

  test(`costs the extension host about ${BUDGET_MS} ms at most in its first five seconds`, async () => {
    const spent = await activationMs(window);
    process.stdout.write(
      `activation: ${spent.toFixed(1)} ms of the extension host's first 5 s are DevDB's (budget ${BUDGET_MS} ms)\n`,
    );
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThan(BUDGET_MS * BUSY);
  });

  test('is shown as short by the editor itself', async () => {
    await window.command('workbench.action.showRuntimeExtensions');
    const row = window.page.locator('.runtime-extensions-editor .extension').filter({ hasText: 'DevDB' }).first();
    await row.waitFor();
    const shown = await row.locator('.activation-time').textContent();
    await window.screenshot('running-extensions');
    process.stdout.write(`activation: the editor says "${shown}"\n`);
    expect(Number(/(\d+)ms/.exec(shown ?? '')?.[1])).toBeLessThan(BUDGET_MS * BUSY);
  });
});
