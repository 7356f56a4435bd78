import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTools } from '@devdb/shared/tools';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import type { ReadTools } from './custom-tool.ts';
import { CustomTools } from './custom-tools.ts';
import { readProjectTools } from './read-custom-tools.ts';

const FOLDER = '.devdb/tools';
const signal = new AbortController().signal;
let project: FixtureProject;

afterEach(() => project.remove());

function toolText(alias: string, mcp = 'description: For the test'): string {
  return `alias: ${alias}\nsql: SELECT 1\nmcp: { ${mcp} }\n`;
}

function add(name: string, text: string): void {
  project.write(`${FOLDER}/${name}`, text);
}

async function read(): Promise<{ names: string[]; problems: string[]; all: ReadTools }> {
  const all = await readProjectTools(project.root, signal);
  const problems = all.problems.map(({ file, line, reason }) => `${file}:${line ?? ''} ${reason}`);
  return { names: all.tools.map(({ definition }) => definition.name), problems, all };
}

test('the sample project has its tools and no problems', async () => {
  project = new FixtureProject('own-tools');
  const { names, problems } = await read();
  expect(names).toEqual(['customer_find', 'customer_orders', 'order_lines', 'order_purge', 'set_product_price']);
  expect(problems).toEqual([]);
});

test('a project without the folder has no tools and no problems', async () => {
  project = new FixtureProject();
  expect((await read()).all).toEqual({ tools: [], problems: [] });
  expect(await readProjectTools(join(project.root, 'missing'), signal)).toEqual({ tools: [], problems: [] });
});

test('a bad file is reported by file and line, and the others still work', async () => {
  project = new FixtureProject();
  add('bad.meta.yaml', 'alias: a.bad\nsql: SELECT :x\nmcp: { description: x }\n');
  add('good.meta.yaml', toolText('a.good'));
  const { names, problems } = await read();
  expect(names).toEqual(['a_good']);
  expect(problems).toEqual([`${FOLDER}/bad.meta.yaml:2 sql: :x is not among the params`]);
});

test('a file with another extension is reported; folders and other files are skipped', async () => {
  project = new FixtureProject();
  add('one.yaml', toolText('a.one'));
  add('two.meta.yml', toolText('a.two'));
  add('README.md', 'text');
  add('sub.meta.yaml/three.meta.yaml', toolText('a.three'));
  const { names, problems } = await read();
  expect(names).toEqual([]);
  expect(problems).toEqual(
    ['one.yaml', 'two.meta.yml'].map(
      (name) => `${FOLDER}/${name}: is not read: the name of a tool's file ends in .meta.yaml`,
    ),
  );
});

test.each(['run.query', 'Run.Query', 'get.tables', 'list.project_tools'])(
  'a tool named %s could be mistaken for one of ours and is left out',
  async (alias) => {
    project = new FixtureProject();
    add('a.meta.yaml', toolText(alias));
    const { names, problems } = await read();
    expect(names).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/the name \S+ is taken by DevDB's own tool [a-z-]+$/)]);
  },
);

test('mcp.tool cannot take the name of any of our tools, even when it is off', async () => {
  for (const { name } of allTools) {
    project?.remove();
    project = new FixtureProject();
    add('a.meta.yaml', toolText('a.b', `tool: ${name}, enabled: false, description: x`));
    expect((await read()).names).toEqual([]);
  }
});

test('of two files with one name the first is used and the second reported', async () => {
  project = new FixtureProject();
  add('a.meta.yaml', toolText('user.list'));
  add('b.meta.yaml', toolText('other.thing', 'tool: User-List, description: x'));
  const { names, problems } = await read();
  expect(names).toEqual(['user_list']);
  expect(problems).toEqual([`${FOLDER}/b.meta.yaml: the name User-List is taken by ${FOLDER}/a.meta.yaml`]);
});

test('a disabled one leaves its name to another', async () => {
  project = new FixtureProject();
  add('a.meta.yaml', toolText('user.list', 'enabled: false, description: x'));
  add('b.meta.yaml', toolText('user.list'));
  const { all, problems } = await read();
  expect(problems).toEqual([]);
  const own = new CustomTools(all, () => true);
  expect(own.find('user_list').file).toBe(`${FOLDER}/b.meta.yaml`);
});

test('no link out of the project is followed, for a file or for the folder', async () => {
  project = new FixtureProject();
  add('in.meta.yaml', toolText('a.inside'));
  const outside = join(project.outside, 'out.meta.yaml');
  writeFileSync(outside, toolText('a.outside'));
  symlinkSync(outside, join(project.root, FOLDER, 'out.meta.yaml'));
  symlinkSync(join(project.root, FOLDER, 'in.meta.yaml'), join(project.root, FOLDER, 'self.meta.yaml'));
  symlinkSync('nowhere', join(project.root, FOLDER, 'to-nothing.meta.yaml'));
  const { names, problems } = await read();
  expect(names).toEqual(['a_inside']);
  expect(problems).toEqual([
    expect.stringContaining('out.meta.yaml: is a link that leads out of the project'),
    expect.stringContaining('to-nothing.meta.yaml: is a link to a missing file'),
    expect.stringContaining('self.meta.yaml: the name a_inside is taken by'),
  ]);
  rmSync(join(project.root, '.devdb'), { recursive: true });
  mkdirSync(join(project.outside, 'tools'));
  symlinkSync(project.outside, join(project.root, '.devdb'));
  expect((await read()).problems).toEqual([`${FOLDER}: is a link that leads out of the project; it is not followed`]);
});

test('number and size of the files are limited', async () => {
  project = new FixtureProject();
  for (let i = 100; i < 170; i++) add(`${i}.meta.yaml`, toolText(`a.t${i}`));
  add('000.meta.yaml', `${toolText('a.big')}# ${'x'.repeat(16 * 1024)}`);
  add('001.meta.yaml', '');
  truncateSync(join(project.root, FOLDER, '001.meta.yaml'), 3_000_000_000);
  const { names, problems } = await read();
  expect(names).toHaveLength(62);
  expect(problems).toEqual([
    `${FOLDER}: holds more than 64 tools; only the first ones by name are read`,
    `${FOLDER}/000.meta.yaml: is larger than 16 KiB, too large for a tool`,
    expect.stringMatching(/001\.meta\.yaml: is larger than/),
  ]);
});

test('files that take too long cause later ones to be left out', async () => {
  project = new FixtureProject('own-tools');
  let now = 0;
  const clock = () => {
    now += 2_000;
    return now;
  };
  const { tools, problems } = await readProjectTools(project.root, signal, clock);
  expect(tools.map(({ alias }) => alias)).toEqual(['customer.find', 'customer.orders']);
  expect(problems).toEqual([
    { file: FOLDER, reason: 'takes too long to read; order-lines.meta.yaml and those after it are left out' },
  ]);
});

test('each file that is read lets waiting work go first', async () => {
  project = new FixtureProject('own-tools');
  let turns = 0;
  const next = (): void => {
    turns += 1;
    waiting = setImmediate(next);
  };
  let waiting = setImmediate(next);
  const { tools } = await readProjectTools(project.root, signal);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThanOrEqual(tools.length);
});

test('reading ends with its signal', async () => {
  project = new FixtureProject('own-tools');
  await expect(readProjectTools(project.root, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

describe('which of them are on', () => {
  async function ownTools(isOn: (name: string) => boolean = () => true): Promise<CustomTools> {
    project = new FixtureProject('own-tools');
    return new CustomTools(await readProjectTools(project.root, signal), ({ name }) => isOn(name));
  }

  test('a tool is found by its name and its alias', async () => {
    const own = await ownTools();
    expect(own.find('order_lines')).toBe(own.find('order.lines'));
    expect(own.behind(own.find('order_lines').definition)).toBe(own.find('order_lines'));
  });

  test('an unknown name is answered with similar names', async () => {
    const own = await ownTools();
    expect(() => own.find('order_line')).toThrow(
      expect.objectContaining({ code: 'E_NOT_FOUND', hint: expect.stringContaining('order_lines') }),
    );
    expect(() => own.find('constructor')).toThrow(expect.objectContaining({ code: 'E_NOT_FOUND' }));
  });

  test('one switched off by its file or the settings is not listed, and says so', async () => {
    const own = await ownTools((name) => name !== 'order_lines');
    expect(own.on.map(({ definition }) => definition.name)).toEqual([
      'customer_find',
      'customer_orders',
      'set_product_price',
    ]);
    for (const name of ['order_lines', 'order_purge', 'order.purge']) {
      expect(() => own.find(name)).toThrow(expect.objectContaining({ code: 'E_DISABLED' }));
    }
  });
});
