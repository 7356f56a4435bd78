import { join } from 'node:path';
import { SETTINGS, silentEditor } from '../../test/helpers/silent-editor.ts';
import { Supervisor } from '../sidecar/supervisor.ts';
import { type WindowState, WindowStateKeeper } from './window-state.ts';

const CHILD = join(__dirname, '..', '..', '..', 'fixtures', 'children', 'pipe-sidecar.ts');

function keep() {
  const states: WindowState[] = [];
  const faults: unknown[] = [];
  let onState = (_state: WindowState): void => undefined;
  const supervisor: Supervisor = new Supervisor(
    silentEditor({
      command: () => ({ nodePath: process.execPath, script: CHILD, env: process.env }),
      projects: () => [{ root: '/a', settings: SETTINGS }],
      side: { onFault: (error) => faults.push(error) },
      onState: (state) => keeper.sidecarIs(state),
    }),
  );
  const keeper = new WindowStateKeeper({
    hasFolder: () => true,
    client: () => supervisor.client,
    onState: (state) => {
      states.push(state);
      onState(state);
    },
    onFault: (error) => faults.push(error),
  });
  const until = (is: (state: WindowState) => boolean) =>
    new Promise<WindowState>((resolve) => {
      onState = (state) => {
        if (is(state)) resolve(state);
      };
    });
  return { supervisor, keeper, states, faults, until };
}

test('asks a running sidecar for its databases, and forgets them when it stops', async () => {
  const { supervisor, keeper, faults, until } = keep();
  const known = until(({ databases }) => databases.size > 0);
  await supervisor.restart();
  const { sidecar, databases } = await known;
  expect(sidecar.kind).toBe('running');
  expect([...databases]).toEqual([['/a', { problem: 'There is none.' }]]);
  await supervisor.stop();
  expect(keeper.state).toMatchObject({ sidecar: { kind: 'stopped' }, databases: new Map() });
  expect(faults).toEqual([]);
});

test('asks nothing without a sidecar, nor after its end', async () => {
  const { keeper, states, faults } = keep();
  await keeper.refresh();
  keeper.look();
  keeper.dispose();
  await keeper.refresh();
  expect(states.map(({ sidecar }) => sidecar.kind)).toEqual(['off']);
  expect(faults).toEqual([]);
});
