import type { Handler, HandlersOfSet } from '@devdb/shared/tools';
import { allTools } from '@devdb/shared/tools';
import { loadHandlers } from './load-handlers.ts';

const get_setting: Handler<'get_setting', object> = async ({ key, scope }) => ({ key, scope, value: null });
const rename_file: Handler<'rename_file', object> = async ({ oldUri, newUri }) => ({
  from: oldUri,
  to: newUri,
  importsUpdated: false,
  changedFiles: [],
});
const rename_symbol: Handler<'rename_symbol', object> = async ({ originalName, newName }) => ({
  from: originalName,
  to: newName,
  edits: 0,
  files: [],
});
const set_setting: Handler<'set_setting', object> = async ({ key, scope }) => ({ key, scope, value: null });
const rest = { rename_symbol, set_setting };

test('a toolset compiles with all of its handlers, and not with a missing, extra or foreign one', () => {
  type Refactor = HandlersOfSet<'editor', 'refactor', object>;
  const complete = { get_setting, rename_file, ...rest } satisfies Refactor;
  // @ts-expect-error The definition of rename_file has no handler.
  const lacking = { get_setting, ...rest } satisfies Refactor;
  // @ts-expect-error No definition has this name.
  const stray = { get_setting, rename_file, ...rest, other: rename_file } satisfies Refactor;
  // @ts-expect-error Another tool's handler takes another input.
  const mixed = { get_setting: rename_file, rename_file, ...rest } satisfies Refactor;
  // The real test is that this compiles, which npm run check verifies.
  expect([complete, lacking, stray, mixed].map((one) => Object.keys(one).length)).toEqual([4, 3, 5, 4]);
});

test('every toolset with editor tools has a loader, and no other has', () => {
  const sets = allTools.filter(({ runsIn }) => runsIn === 'editor').map(({ toolset }) => toolset);
  expect(Object.keys(loadHandlers).sort()).toEqual([...new Set<string>(sets)].sort());
});
