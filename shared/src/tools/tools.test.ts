import * as z from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { inputJsonSchema } from '../json-schema.ts';
import { allTools, findTool } from './index.ts';

const MAX_DESCRIPTION_BYTES = 2048;

test("names are legal and unique, and none is another tool's alias", () => {
  const names = allTools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
});

test('a tool is found by its name and by an alias, and nothing else is', () => {
  for (const tool of allTools) {
    for (const name of [tool.name, ...(tool.aliases ?? [])]) expect(findTool(name)).toBe(tool);
  }
  expect(findTool('constructor')).toBeUndefined();
});

// Agents and their prompts rely on the list's order: new tools go to the end.
test('the database tools are in order, with their annotations', () => {
  const database = allTools.filter((tool) => tool.toolset === 'database');
  const kindOf = ({ annotations }: (typeof database)[number]) => {
    if (annotations.readOnlyHint) return 'reads';
    return annotations.destructiveHint ? 'may destroy' : 'writes';
  };
  expect(database.map((tool) => `${tool.name} ${kindOf(tool)} ${tool.timeoutMs}`)).toEqual([
    'get-tables reads 10000',
    'get-schema reads 10000',
    'get-database-type reads 5000',
    'run-query may destroy 30000',
    'list-connections reads 10000',
    'get-overview reads 20000',
    'search-schema reads 10000',
    'explain-query reads 30000',
    'export-query writes 300000',
    'list-project-tools reads 10000',
    'run-project-tool may destroy 30000',
    'run-queries reads 60000',
  ]);
});

describe.each(allTools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  test('has a description that no client cuts', () => {
    expect(tool.description.length).toBeGreaterThan(40);
    expect(Buffer.byteLength(tool.description)).toBeLessThanOrEqual(MAX_DESCRIPTION_BYTES);
  });

  test('describes every field of its input', () => {
    const schema = z.object({ properties: z.record(z.string(), z.object({ description: z.string().min(10) })) });
    expect(schema.safeParse(inputJsonSchema(tool.input)).error).toBeUndefined();
  });

  test('takes a plain object and refuses unknown keys', () => {
    const schema = inputJsonSchema(tool.input);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema['$schema']).toBeUndefined();
    expect(tool.input.safeParse({ definitely_unknown: 1 }).success).toBe(false);
  });

  test('has the annotations that clients know, and no others', () => {
    const known = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
    expect(Object.keys(tool.annotations).filter((key) => !known.includes(key))).toEqual([]);
  });

  test('leaves projectRoot to the stdio door', () => {
    expect(Object.keys(tool.input.shape)).not.toContain('projectRoot');
  });

  test('declares known codes, each once', () => {
    for (const code of tool.errors) expect(Object.keys(ERROR_CODES)).toContain(code);
    expect(new Set(tool.errors).size).toBe(tool.errors.length);
  });

  test('says how it is approved, if it changes something in the editor', () => {
    if (tool.runsIn === 'editor') expect(tool.approval === undefined).toBe(tool.annotations.readOnlyHint);
  });

  test('has examples of its answers: one that works, and a bad input where there is one', () => {
    const codes = tool.examples.map(({ gives }) => gives);
    expect(codes).toContain('ok');
    if (Object.keys(tool.input.shape).length > 0) expect(codes).toContain('E_INVALID_PARAMS');
  });

  test('shows as text a field that its answer has', () => {
    const { field, note } = { field: undefined, note: undefined, ...tool.text };
    const shown = [field, note].filter((name) => name !== undefined);
    expect(Object.keys(tool.output.shape)).toEqual(expect.arrayContaining(shown));
  });
});
