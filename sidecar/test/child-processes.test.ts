import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SOURCES = ['shared/src', 'sidecar/src', 'extension/src'];

/** Code that starts a program, passes something to one, or loads code from a file. */
const STARTS =
  /\b(node:)?(child_process|cluster)\b|\bworker_threads\b|\bprocess\.(binding|dlopen)\b|\bcreateTerminal\b|\b(Shell|Process)Execution\b|\bexecuteTask\b|\bstartDebugging\b|\bopenExternal\b|\bcreateRequire\b/;

/** Every file with such code, and why a repository cannot control what is started. */
const KNOWN: Readonly<Record<string, string>> = {
  'sidecar/src/databases/password-command.ts':
    'A command of .devdbrc, after an approval that shows it. A bare name is looked up in whole folders of PATH alone; there is no shell.',
  'sidecar/src/clients/setup/claude-cli.ts':
    'claude, by its whole path from PATH, in the home of its user, when a person asks for the set-up.',
  'sidecar/src/clients/setup/fit-node.ts':
    'node --version, by its whole path from PATH, in the folder of that program.',
  'sidecar/src/detection/child/detect-in-child.ts':
    'The running Node with a file of the bundle, in the folder of the bundle.',
  'sidecar/src/detection/child/main.ts':
    'A thread with a line of our own, which ends the process when its time is over.',
  'sidecar/src/engines/sqlite/child-handle.ts':
    'The running Node with a file of the bundle, in the folder of that Node.',
  'sidecar/src/engines/sqlite/child/main.ts': 'A thread with a file of the bundle.',
  'sidecar/src/engines/sqlite/child/watch.ts': 'That thread.',
  'shared/src/node/cached-load.ts': 'Loads files of the bundle into this process.',
  'sidecar/src/host/thread.ts': 'A thread with a file of the bundle.',
  'extension/src/debug/start.ts':
    'A launch that the user has agreed to: one of launch.json by its name, or a configuration that they were shown.',
  'extension/src/editor/run-configurations.ts':
    'What the editor itself lists for the project, once its user has seen all that it runs and agreed to that.',
  'extension/src/editor/search/ripgrep.ts':
    'The ripgrep in the editor’s own folder, by its whole path, with no configuration file; a text to find is never an option.',
  'extension/src/editor/terminals.ts':
    'A shell of the editor in the project’s folder, for a command whose exact text the user has agreed to.',
  'extension/src/sidecar/sidecar-process.ts':
    'The editor’s own Node, or the one of a setting that no repository can set, with a file of the bundle, not in a project.',
  'extension/src/uninstall.ts': 'The editor’s own Node with a file of the bundle, not in a project.',
  'extension/src/views/diagram/layout-thread.ts': 'The thread of the next line.',
  'extension/src/views/diagram/layout.ts': 'A thread with a file of the bundle.',
};

/** Files of the bundle that can start a process. A package that brings such code shows up here. */
const KNOWN_BUNDLES = [
  'arranging-thread.js',
  'commands.js',
  'detection.js',
  'diagram-layout.js',
  'engine-sqlite.js',
  'formatting-thread.js',
  'main.js',
  'sqlite-child.js',
  'sqlite-watch.js',
  'uninstall.js',
];

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const sources = SOURCES.flatMap(filesBelow).filter((file) => /\.[cm]?[jt]s$/.test(file) && !/\.test\.ts$/.test(file));

it('every source that starts a process is known, with the reason why no repository controls what is started', () => {
  expect(sources.filter((file) => STARTS.test(read(file))).sort()).toEqual(Object.keys(KNOWN).sort());
});

it('no source runs a shell, and each states the folder in which it starts a process', () => {
  for (const file of Object.keys(KNOWN)) {
    const text = read(file);
    expect([file, /shell: true|(?<!\.)\bexec\(|\bexecSync\(/.test(text)]).toEqual([file, false]);
    const starts = [...text.matchAll(/\b(?:spawn|spawnSync|run|execFile|fork)\(\s*(?:process|found|node|claude)/g)];
    if (starts.length > 0) expect([file, /\bcwd\b/.test(text)]).toEqual([file, true]);
  }
});

it('no source runs Git', () => {
  expect(sources.filter((file) => /['"`]git(\.exe)?['"`]/.test(read(file)))).toEqual([]);
});

it('no package of the bundle brings processes of its own', () => {
  const bundles = ['sidecar/dist', 'extension/dist']
    .flatMap(filesBelow)
    .filter((file) => file.endsWith('.js') && !file.startsWith('extension/dist/sidecar/'));
  expect(bundles.length).toBeGreaterThan(10);
  const starting = bundles.filter((file) => /\b(child_process|worker_threads)\b/.test(read(file)));
  expect(starting.map((file) => file.replace(/^.*\//, '')).sort()).toEqual(KNOWN_BUNDLES);
});
