import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSampleProject } from '../../../fixtures/labs/sample-project.ts';
import { commandIn, SETTINGS, silentEditor } from '../../test/helpers/silent-editor.ts';
import { Supervisor } from './supervisor.ts';

const SCRIPT = join(__dirname, '..', '..', 'dist', 'sidecar', 'sidecar.js');
const never = new AbortController().signal;

test('a sidecar is greeted, asked for its state and answered without the schema library', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-light-')));
  const root = makeSampleProject(join(folder, 'one'));
  const asked: string[] = [];
  const faults: unknown[] = [];
  const supervisor = new Supervisor(
    silentEditor({
      command: commandIn(join(folder, 'home'), SCRIPT),
      projects: () => [{ root, settings: SETTINGS }],
      side: {
        kept: async (project) => {
          asked.push(project);
          return { connections: [], passwords: [] };
        },
        onFault: (error) => faults.push(error),
      },
    }),
  );
  try {
    await supervisor.update();
    const client = await supervisor.ready(never);
    await expect(client.status(never)).resolves.toMatchObject({ projects: [{ root, database: { engine: 'sqlite' } }] });
    await expect(client.runTool({ tool: 'get-tables', input: {}, signal: never })).resolves.toMatchObject({ ok: true });
    expect([asked.includes(root), faults]).toEqual([true, []]);
    // The library marks the globals of the process that loads it.
    expect('__zod_globalConfig' in globalThis).toBe(false);
    await client.doctorText(root, never);
    expect('__zod_globalConfig' in globalThis).toBe(true);
  } finally {
    await supervisor.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
