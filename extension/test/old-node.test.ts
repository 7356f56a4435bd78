import { join } from 'node:path';
import { oldestNode } from '../../sidecar/test/helpers/oldest-node.ts';
import { type SidecarState, Supervisor } from '../src/sidecar/supervisor.ts';
import { EXTENSION } from './helpers/editor-lab.ts';
import { SETTINGS, silentEditor } from './helpers/silent-editor.ts';

test('a Node too old for the sidecar is reported as such, with what is needed', async () => {
  const nodePath = await oldestNode();
  const failed = Promise.withResolvers<SidecarState>();
  const supervisor = new Supervisor(
    silentEditor({
      command: () => ({ nodePath, script: join(EXTENSION, 'dist', 'sidecar', 'sidecar.js'), env: process.env }),
      projects: () => [{ root: EXTENSION, settings: SETTINGS }],
      onState: (state) => {
        if (state.kind === 'failed') failed.resolve(state);
      },
    }),
  );
  await supervisor.restart();
  await expect(failed.promise).resolves.toMatchObject({
    reason: expect.stringMatching(/ended with code 1; its last words: The DevDB sidecar needs Node 22.*18\./),
  });
  await supervisor.end();
});
