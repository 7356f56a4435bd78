import type { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

describeEditor('a workspace that is not trusted yet', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let root: string;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample({ trust: 'ask' }));
  });

  afterAll(() => editor?.stop());

  test('opens no database before the user trusts it, and one after', async () => {
    await expect(devdb.callTool(root, 'get-tables', {})).resolves.toMatchObject({
      ok: false,
      error: { code: 'E_UNTRUSTED_WORKSPACE' },
    });
    await window.screenshot('trust');
    await window.trust();
    await until('the database is reached', async () => {
      await devdb.serving(root);
      return (await devdb.callTool(root, 'get-tables', {})).ok;
    });
  });
});
