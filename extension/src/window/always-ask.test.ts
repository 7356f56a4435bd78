import { AlwaysAsk } from './always-ask.ts';
import { projectSettingsOf } from './project-settings.ts';

function memoryOf(kept: unknown) {
  const memory = { kept };
  return {
    memory,
    alwaysAsk: new AlwaysAsk({
      get: () => memory.kept,
      update: async (_key, value) => {
        memory.kept = value;
      },
    }),
  };
}

test('a client is kept once, however it writes its name, until it is taken off', async () => {
  const { alwaysAsk } = memoryOf(undefined);
  await alwaysAsk.set('Claude Code', true);
  await alwaysAsk.set('codex', true);
  await alwaysAsk.set('claude  code', true);
  expect(alwaysAsk.names).toEqual(['codex', 'claude  code']);
  await alwaysAsk.set('CLAUDE CODE', false);
  expect(alwaysAsk.names).toEqual(['codex']);
});

test.each([[7], ['evil'], [null], [{ evil: true }]])('a memory that holds %j has no names', (kept) => {
  expect(memoryOf(kept).alwaysAsk.names).toEqual([]);
});

test('the sidecar gets the choice with each project', () => {
  const settings = projectSettingsOf(() => undefined, true);
  const projects = ['/a', '/b'].map((root) => ({ root, settings }));
  const told = memoryOf(['evil', 7]).alwaysAsk.withNames(projects);
  expect(told.map(({ root, settings: { alwaysAsk } }) => [root, alwaysAsk])).toEqual([
    ['/a', ['evil']],
    ['/b', ['evil']],
  ]);
});
