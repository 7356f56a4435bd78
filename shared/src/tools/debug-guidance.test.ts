import { fileJsonSchema, inputJsonSchema } from '../json-schema.ts';
import { allTools } from './index.ts';

/** What an agent reads before it debugs: it has to learn from it alone what to call when, with which values. */
const tools = allTools.filter(({ toolset }) => toolset === 'debug' || toolset === 'trace');
const names = allTools.map(({ name }) => name);

/** These bring the stop that others need. */
const STOPPING = ['debug_pause', 'debug_wait_for_hit'];

interface Field {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its own, or that of the list that it is in. */
  readonly description: string;
}

/** Every value that an agent chooses, in whatever depth of the input. */
function fieldsOf(schema: object, name: string, description: string): Field[] {
  const own = Object.entries(schema);
  const part = (key: string): unknown => own.find(([one]) => one === key)?.[1];
  const words = part('description');
  const told = typeof words === 'string' ? words : description;
  const items = part('items');
  const properties = part('properties');
  return [
    { name, schema: Object.fromEntries(own), description: told },
    ...(typeof items === 'object' && items !== null ? fieldsOf(items, `${name}[]`, told) : []),
    ...(typeof properties === 'object' && properties !== null
      ? Object.entries(properties).flatMap(([key, inner]) => fieldsOf(inner, `${name}.${key}`, told))
      : []),
  ];
}

const fields = tools.flatMap((tool) => fieldsOf(inputJsonSchema(tool.input), tool.name, ''));
/** The same with the bounds that a model need not read. */
const checked = tools.flatMap((tool) => fieldsOf(fileJsonSchema(tool.input), tool.name, ''));
const of = (type: string, all = fields) => all.filter(({ schema }) => schema['type'] === type);

test('the tools of the debugger are named thing_action', () => {
  for (const { name } of tools) expect(name).toMatch(/^(breakpoint|debug|dap|diagnostic|test|util|bridge)(_[a-z]+)+$/);
});

test('a tool that needs a session or a stop says after which tool it is used', () => {
  for (const { name, description, errors, toolset } of tools) {
    const needed = errors.filter((code) => code === 'E_NO_SESSION' || code === 'E_NOT_PAUSED');
    // What looks back at a session needs none that lives; a test is debugged in a session of its own.
    if (needed.length === 0 || toolset === 'trace' || name === 'test_debug_single') continue;
    expect([name, description]).toEqual([name, expect.stringMatching(/after debug_start/i)]);
    if (needed.includes('E_NOT_PAUSED') && !STOPPING.includes(name))
      expect([name, description]).toEqual([name, expect.stringMatching(/at a stop|where the program stands/)]);
  }
});

test('a text that an agent writes has an example, or the name of what gives it, or a default', () => {
  const texts = of('string').filter(({ schema }) => schema['enum'] === undefined);
  expect(texts.length).toBeGreaterThan(20);
  const helps = (description: string) =>
    /\be\.g\. |\bdefault\b|"type":/i.test(description) || names.some((name) => description.includes(name));
  expect(texts.filter(({ description }) => !helps(description)).map(({ name }) => name)).toEqual([]);
});

test('every number has its least, every text and list its most', () => {
  const numbers = [...of('integer', checked), ...of('number', checked)];
  expect(numbers.length).toBeGreaterThan(20);
  const unbound = [
    ...numbers.filter(({ schema }) => schema['minimum'] === undefined),
    ...of('string', checked).filter(({ schema }) => schema['enum'] === undefined && schema['maxLength'] === undefined),
    ...of('array', checked).filter(({ schema }) => schema['maxItems'] === undefined),
  ];
  expect(unbound.map(({ name }) => name)).toEqual([]);
});
