// What functions of several languages' libraries return, as far as settings need it.

/** How Python's ConfigParser is asked. */
export const PARSED = /^get(int|float|boolean)?$/;
/** Members and methods that do not change a value in a way that matters here. */
export const SAME: ReadonlySet<string> = new Set([
  'resolve',
  'absolute',
  'as_posix',
  'toString',
  'trim',
  'strip',
  'to_s',
  'to_i',
  'presence',
  'to_json',
]);
/** Functions that return their argument. */
export const ALIKE: ReadonlySet<string> = new Set([
  'Number',
  'parseInt',
  'Number.parseInt',
  'String',
  'int',
  'str',
  'intval',
  'strval',
  'Integer',
  'String.to_integer',
  'Path',
  'pathlib.Path',
  'PurePath',
  'environ.Path',
  'os.path.abspath',
  'os.path.realpath',
  'os.path.normpath',
  'os.fspath',
  'path.abspath',
  'path.realpath',
  'path.normpath',
  'abspath',
  'realpath',
  'fileURLToPath',
]);
/** What JavaScript asks of a parsed number before its fallback. */
export const NUMBER_CHECKS: ReadonlyMap<string, (number: number) => boolean> = new Map([
  ['isNaN', Number.isNaN],
  ['Number.isNaN', Number.isNaN],
  ['isFinite', Number.isFinite],
  ['Number.isFinite', Number.isFinite],
  ['Number.isInteger', Number.isInteger],
  ['Number.isSafeInteger', Number.isSafeInteger],
]);
/** Functions that return the folder around a path. */
export const UP: ReadonlySet<string> = new Set(['os.path.dirname', 'path.dirname', 'Path.dirname', 'dirname']);
/** Functions that put a path together. */
export const JOINS: ReadonlySet<string> = new Set([
  'path.join',
  'Path.join',
  'path.resolve',
  'os.path.join',
  'join',
  'resolve',
]);
/** Framework functions that return a folder of the application. */
export const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['process.cwd', ''],
  ['Rails.root.join', ''],
  ['base_path', ''],
  ['database_path', 'database'],
  ['storage_path', 'storage'],
  ['app.tmpPath', 'tmp'],
  ['Application.tmpPath', 'tmp'],
  ['app.makePath', ''],
  ['Application.makePath', ''],
  ['app.databasePath', 'database'],
  ['Application.databasePath', 'database'],
  ['Helpers.databasePath', 'database'],
  ['Helpers.appRoot', ''],
]);
