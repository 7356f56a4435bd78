import * as z from 'zod';
import { allTools } from '../index.ts';

const TOOLS = allTools.filter(({ toolset }) => toolset === 'debug' || toolset === 'trace');

interface Schema {
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
}
const schemaOf: z.ZodType<Schema> = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.lazy(() => schemaOf).optional(),
  properties: z.lazy(() => z.record(z.string(), schemaOf)).optional(),
});

/** The fields that any length or number may be put into. */
function unbounded(name: string, schema: Schema): string[] {
  const { type, items, properties = {} } = schema;
  const inside = Object.entries(properties).flatMap(([field, one]) => unbounded(`${name}.${field}`, one));
  const below = items === undefined ? [] : unbounded(`${name}[]`, items);
  const isOpen =
    (type === 'string' && schema.enum === undefined && schema.maxLength === undefined) ||
    // A whole number has the bounds of JavaScript's own, which no schema repeats.
    (type === 'number' && (schema.minimum === undefined || schema.maximum === undefined));
  return [...(isOpen ? [name] : []), ...inside, ...below];
}

test('names say what a tool is about and then what it does, so that one can be inferred from another', () => {
  const things = new Set(TOOLS.map(({ name }) => name.split('_')[0]));
  for (const { name } of TOOLS) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  expect(
    [...things].filter(
      (thing) => !['breakpoint', 'debug', 'dap', 'test', 'util', 'bridge', 'diagnostic'].includes(thing ?? ''),
    ),
  ).toEqual([]);
});

test('the names that agents were taught elsewhere are aliases', () => {
  const aliases = Object.fromEntries(TOOLS.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name])));
  expect(aliases).toEqual({
    breakpoint_add: 'breakpoint_set',
    variable_list: 'debug_list_variables',
    variable_set: 'debug_set_variable',
  });
});

test.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s bounds what it takes', (name, { input }) => {
  const open = unbounded(name, schemaOf.parse(z.toJSONSchema(input, { io: 'input' })));
  // A configuration is what its debugger defines.
  expect(open.filter((field) => !field.startsWith('debug_start.config'))).toEqual([]);
});

test('what has to run first is said where a tool needs a session', () => {
  for (const { name, errors, description } of TOOLS) {
    if (!errors.includes('E_NOT_PAUSED') || name === 'test_debug_single') continue;
    expect([name, description]).toEqual([name, expect.stringMatching(/paused|stands|debug_start|program/)]);
  }
});

test('what runs code is destructive, and says whose yes covers it', () => {
  const running = [
    'debug_start',
    'debug_restart',
    'debug_evaluate',
    'debug_set_variable',
    'debug_save_variable',
    'test_debug_single',
  ];
  for (const name of running) {
    const tool = TOOLS.find((one) => one.name === name);
    expect([name, tool?.annotations.destructiveHint, tool?.annotations.readOnlyHint]).toEqual([name, true, false]);
  }
  const inSession = TOOLS.filter(({ approval }) => approval?.inOwnSession === true).map(({ name }) => name);
  expect(inSession).toEqual(expect.arrayContaining(['debug_stop', ...running.slice(1, 5)]));
  expect(inSession).not.toContain('debug_start');
});
