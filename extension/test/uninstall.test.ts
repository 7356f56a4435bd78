import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cachedVsCode } from '../../fixtures/labs/vscode/install.ts';
import { installFolders, makeLayout } from '../../fixtures/labs/vscode/layout.ts';
import { EditorServer } from '../../fixtures/labs/vscode/server.ts';
import { describeEditor, EXTENSION } from './helpers/editor-lab.ts';
import { until } from './helpers/until.ts';

const run = promisify(execFile);
const WITHIN_MS = 60_000;

describeEditor('an editor that uninstalls the extension', () => {
  const layout = makeLayout();
  let editor: EditorServer | undefined;

  afterAll(async () => {
    await editor?.stop();
    rmSync(layout.base, { recursive: true, force: true });
  });

  test('removes what DevDB wrote', async () => {
    const install = cachedVsCode();
    if ('notRun' in install) throw new Error(install.notRun);
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: layout.home, TMPDIR: layout.temp };
    const where = ['--user-data-dir', layout.userData, '--extensions-dir', layout.extensions];
    installFolders(layout, [EXTENSION]);
    const config = join(layout.home, '.claude.json');
    writeFileSync(config, '{"numStartups":1}');
    const cli = join(EXTENSION, 'dist', 'sidecar', 'cli.js');
    await run(process.execPath, [cli, 'setup', 'claude', '--write'], { env });
    expect(readFileSync(config, 'utf8')).toContain('devdb-mcp.cjs');

    await run(process.execPath, [install.server, ...where, '--uninstall-extension', 'devdb.devdb'], { env });
    // The editor deletes an extension, and runs its script, at its next start.
    const args = [...where, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry'];
    editor = await EditorServer.start({ server: install.server, args, env, base: layout.base });
    await fetch(`http://127.0.0.1:${editor.port}/`);
    const home = join(layout.home, '.devdb');
    await until('the home of DevDB is gone', () => !existsSync(home), WITHIN_MS);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ numStartups: 1, mcpServers: {} });
  }, 180_000);
});
