import {
  commandLineOf,
  definitionText,
  everythingThatRuns,
  type Runnable,
  type Step,
  scriptLines,
  stepsOfLaunch,
  stepsOfTask,
} from './what-runs.ts';

const launch = (entry: object): Runnable => ({
  name: '',
  shown: definitionText(entry),
  leadsTo: stepsOfLaunch(entry),
});

function among(all: Readonly<Record<string, Runnable>>): (step: Step) => Runnable | undefined {
  return ({ kind, name }) => all[`${kind} ${name}`];
}

test('a launch is shown with the tasks before and after it, and with all that these depend on', () => {
  const task = (shown: string, entry: object): Runnable => ({ name: '', shown, leadsTo: stepsOfTask(entry) });
  const shown = everythingThatRuns(
    launch({ name: 'Serve', program: 'a.js', preLaunchTask: 'build', postDebugTask: 'npm: clean' }),
    among({
      'task build': task('make all', { dependsOn: ['fetch', { type: 'npm', script: 'generate' }] }),
      'task fetch': task('curl example.org', { dependsOn: 'build' }),
      'task npm: generate': task('node generate.js', {}),
      'task npm: clean': task('rm -rf out', {}),
    }),
  );
  for (const line of ['"a.js"', 'make all', 'curl example.org', 'node generate.js', 'rm -rf out'])
    expect(shown?.split(line)).toHaveLength(2);
});

test('a compound is shown with each of its launches, also with one of another folder', () => {
  const shown = everythingThatRuns(
    launch({ name: 'Both', configurations: ['One', { name: 'Two', folder: 'other' }], preLaunchTask: 'build' }),
    among({ 'launch One': launch({ name: 'One', program: '1.js' }) }),
  );
  expect(shown).toContain('"1.js"');
  expect(shown).toContain('launch "Two":\nThe editor knows nothing of this name.');
  expect(shown).toContain('task "build":\nThe editor knows nothing of this name.');
});

test('a task that runs others on one platform alone shows these too', () => {
  expect(stepsOfTask({ linux: { dependsOn: 'evil' }, windows: { dependsOn: ['other'] } })).toEqual([
    { kind: 'task', name: 'other' },
    { kind: 'task', name: 'evil' },
  ]);
});

test('a chain that leads in a circle ends, and one too long to be read is not shown as if it were whole', () => {
  const step = (at: number): Runnable => ({
    name: '',
    shown: `${at}`,
    leadsTo: stepsOfTask({ dependsOn: `${at + 1}` }),
  });
  expect(everythingThatRuns(step(0), ({ name }) => step(Number(name) % 5))).toMatch(/^0\n/);
  expect(everythingThatRuns(step(0), ({ name }) => step(Number(name)))).toBeUndefined();
});

test.each([
  ['a line of a shell', { commandLine: 'echo a > b' }, ['echo a > b']],
  ['a command with parameters', { command: 'echo', args: ['a b', { value: 'c', quoting: 1 }] }, ['echo "a b" "c"']],
  ['a program', { process: '/bin/sh', args: ['-c', 'id'] }, ['/bin/sh -c id']],
  [
    'where and with what it runs',
    { process: 'make', args: [], options: { cwd: '/', env: { LD_PRELOAD: 'x.so' } } },
    ['make', 'with {"cwd":"/","env":{"LD_PRELOAD":"x.so"}}'],
  ],
  ['what an extension runs', {}, []],
  ['nothing', undefined, []],
])('a task shows %s', (_what, execution, lines) => {
  expect(commandLineOf(execution)).toEqual(lines);
});

test("values behind getters are shown too, as the editor's own objects have them", () => {
  class Execution {
    get commandLine() {
      return 'make';
    }
  }
  expect(commandLineOf(new Execution())).toEqual(['make']);
});

test('a script is shown with those that npm runs before and after it', () => {
  const scripts = { pretest: 'a', test: 'b', posttest: 'c', other: 'd', toString: 1 };
  expect(scriptLines({ scripts }, 'test')).toEqual(['pretest: a', 'test: b', 'posttest: c']);
  for (const manifest of [undefined, null, 3, [], {}, { scripts: 'test' }]) {
    expect(scriptLines(manifest, 'test')).toEqual([]);
  }
});
