import { lineAt, plain } from './located.ts';
import { readYaml } from './yaml.ts';

describe('readYaml', () => {
  it('reads lists of objects with their lines', () => {
    const { value, problems } = readYaml('# c\n- type: sqlite\n  path: a.db\n-\n  port: 5432\n  ok: true\n  none: ~\n');
    expect(problems).toEqual([]);
    expect(value && plain(value)).toEqual([
      { type: 'sqlite', path: 'a.db' },
      { port: 5432, ok: true, none: null },
    ]);
    expect(value && [lineAt(value, [0, 'path']), lineAt(value, [1, 'port'])]).toEqual([3, 5]);
  });

  it('follows anchors, also one that names itself', () => {
    const { value } = readYaml('- &a {host: x}\n- *a\n');
    expect(value && plain(value)).toEqual([{ host: 'x' }, { host: 'x' }]);
    expect(readYaml('&a [*a]').value?.kind).toBe('array');
  });

  it('reports the line of a mistake without quoting the text', () => {
    const { problems } = readYaml('- type: sqlite\n- password: "hunter2\n- path: x\n');
    expect(problems[0]?.line).toBeGreaterThan(1);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it.each([
    [
      'aliases that multiply',
      Array.from({ length: 40 }, (_, i) => `- &a${i} [${`*a${i - 1},`.repeat(i === 0 ? 0 : 9)}]`).join('\n'),
    ],
    ['many values', '- 1\n'.repeat(60_000)],
    ['deep lists', `${'[a,'.repeat(200)}${']'.repeat(200)}`],
  ])('gives up on %s', (_what, text) => {
    expect(readYaml(text).problems.at(-1)?.reason).toBe('is too large or too deep for settings');
  });
});
