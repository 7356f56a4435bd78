import { join } from 'node:path';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';
import { until } from './helpers/until.ts';

describeEditor('a workspace that nobody has trusted yet', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let root: string;

  beforeAll(async () => {
    editor = await startEditor({ trust: 'ask' });
    devdb = new DevdbHome(editor.home);
    root = makeSampleProject(join(editor.projects, 'shop'));
    window = await editor.open(root);
    await devdb.serving(root);
  });

  afterAll(() => editor?.stop());

  test('opens no database before a person trusts it, and one after', async () => {
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
