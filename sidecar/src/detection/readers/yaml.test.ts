import { parseDocument } from 'yaml';
import { lineAt, plain } from './located.ts';
import { nodesInOrder, readYaml } from './yaml.ts';

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

  it('follows anchors, even one that names itself', () => {
    const { value } = readYaml('- &a {host: x}\n- *a\n');
    expect(value && plain(value)).toEqual([{ host: 'x' }, { host: 'x' }]);
    expect(readYaml('&a [*a]').value?.kind).toBe('array');
  });

  it('resolves an alias to the last anchor before it, even inside what another alias stands for', () => {
    const { value, problems } = readYaml(
      '- &a 1\n- &b [*a, &c 5]\n- &a 2\n- *b\n- *a\n- {&a k: *c, *a : *a}\n- *none\n',
    );
    expect(value && plain(value)).toEqual([1, [1, 5], 2, [1, 5], 2, expect.objectContaining({ k: 5 }), null]);
    expect(problems).toEqual([{ line: 7, reason: 'not valid YAML: an alias refers to no earlier anchor (BAD_ALIAS)' }]);
  });

  it('visits each node of a file once, however many aliases there are', () => {
    const aliases = 50_000;
    const text = `- &a {x: 1}\n${'- *a\n'.repeat(aliases)}`;
    const document = parseDocument(text, { uniqueKeys: false });
    // The list, the map with its key and value, and the aliases.
    expect([...nodesInOrder(document.contents)]).toHaveLength(4 + aliases);
    expect(readYaml(text).problems.at(-1)?.reason).toBe('is too large or too deep for settings');
  });

  it('reports a repeated key of a map, once and with its line', () => {
    const { value, problems } = readYaml('a: &a\n  k: 1\n  "k": 2\nb: *a\nc: {1: x, "1": y}\n');
    expect(problems).toEqual([{ line: 3, reason: 'not valid YAML: a duplicate key (DUPLICATE_KEY)' }]);
    expect(value && plain(value)).toEqual({ a: { k: 2 }, b: { k: 2 }, c: { 1: 'y' } });
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
    ['many names', Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['deep lists', `${'[a,'.repeat(200)}${']'.repeat(200)}`],
  ])('gives up on %s', (_what, text) => {
    expect(readYaml(text).problems.at(-1)?.reason).toBe('is too large or too deep for settings');
  });
});
