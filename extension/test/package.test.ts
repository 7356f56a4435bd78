import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { runNode } from '../../fixtures/labs/steps.ts';
import { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, EXTENSION, startEditor } from './helpers/editor-lab.ts';

/** One driver's binary and the parser of Postgres' grammar make up most of it. */
const MOST_MEGABYTES = 6;

describeEditor('the package for this machine', () => {
  let editor: Editor;

  afterAll(() => editor?.stop());

  test('is written by npm run package, installed from its file, and serves a project', async () => {
    const { code, output } = await runNode([join('extension', 'build', 'package.ts')]);
    expect([code, output]).toEqual([0, expect.stringContaining('.vsix')]);
    const file = /^(.+\.vsix) \(/m.exec(output)?.[1] ?? '';
    const megabytes = statSync(file).size / 1024 / 1024;
    process.stdout.write(`package: ${megabytes.toFixed(2)} MB\n`);
    expect(megabytes).toBeLessThan(MOST_MEGABYTES);

    editor = await startEditor({ extension: file });
    const root = makeSampleProject(join(editor.projects, 'shop'));
    const window = await editor.open(root);
    const devdb = new DevdbHome(editor.home);
    await devdb.serving(root);
    const answer = await devdb.callTool(root, 'run-query', { query: 'SELECT count(*) AS customers FROM customers' });
    expect(answer).toMatchObject({ ok: true, data: { rows: [[4]] } });

    const folder = await window.run((vscode) => vscode.extensions.getExtension('devdb.devdb')?.extensionPath ?? '');
    expect(folder.startsWith(EXTENSION)).toBe(false);
    // Bundled packages are not shipped again.
    expect(readdirSync(folder)).not.toContain('node_modules');
    expect(readdirSync(folder)).not.toContain('src');
    const agent = await devdb.stdioClient();
    await expect(agent.call('get-tables', { projectRoot: root })).resolves.toMatchObject({ isError: false });
    await agent.close();
  }, 180_000);
});
