import { getsTextAlone, isStructuredMode } from './structured-clients.ts';

test.each([
  ['claude-code', true],
  ['Visual Studio Code', true],
  ['Visual Studio Code - Insiders', true],
  ['code-server', true],
  ['cursor-vscode', false],
  ['mcp-inspector', false],
  ['', false],
])('the client %j gets a success as text alone: %s', (name, alone) => {
  expect(getsTextAlone(name)).toBe(alone);
});

test('a mode that was chosen holds for every client', () => {
  expect(['claude-code', 'other'].map((name) => getsTextAlone(name, 'always'))).toEqual([false, false]);
  expect(['claude-code', 'other'].map((name) => getsTextAlone(name, 'never'))).toEqual([true, true]);
});

test('only the three modes are modes', () => {
  expect(['auto', 'always', 'never', 'Auto', '', undefined].map(isStructuredMode)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
