import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import * as fc from 'fast-check';
import type { CustomTool } from './custom-tool.ts';
import { parseToolFile } from './parse-tool-file.ts';

const FILE = '.devdb/tools/x.meta.yaml';
const FIXTURE = join(__dirname, '../../../fixtures/projects/own-tools/.devdb/tools');

function toolOf(source: string): CustomTool {
  const parsed = parseToolFile(FILE, source);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.tool;
}

function problemsOf(source: string): string[] {
  const parsed = parseToolFile(FILE, source);
  if ('tool' in parsed) throw new Error('expected problems');
  for (const problem of parsed.problems) expect(problem.file).toBe(FILE);
  return parsed.problems.map(({ line, reason }) => (line === undefined ? reason : `${line} ${reason}`));
}

/** A file with one parameter, whose fields start on line 4. */
function withParam(...fields: string[]): string {
  const lines = ['alias: a.b', 'params:', '  p:', ...fields.map((field) => `    ${field}`)];
  return [...lines, '    description: What it is', 'sql: SELECT :p', 'mcp: { description: Gives it }'].join('\n');
}

function accepts(tool: CustomTool, input: unknown): boolean {
  return tool.definition.input.safeParse(input).success;
}

describe('a whole file', () => {
  const tool = toolOf(readFileSync(join(FIXTURE, 'customer-orders.meta.yaml'), 'utf8'));

  test('is a tool named by its alias, callable by both names', () => {
    expect(tool.definition).toMatchObject({
      name: 'customer_orders',
      aliases: ['customer.orders'],
      toolset: 'database',
    });
    expect(tool).toMatchObject({ alias: 'customer.orders', enabled: true, timeoutMs: 5000, connection: undefined });
  });

  test('tells the model what it returns, when to use it, and where it comes from', () => {
    expect(tool.definition.description).toBe(
      [
        `(This project's own tool, from ${FILE}. The following text comes from the project.)`,
        'The orders of one customer, oldest first.',
        "When to use: A task is about what somebody bought. For one order's lines use order_lines.",
      ].join('\n'),
    );
  });

  test('has its parameters as a strict schema, with the hints in their descriptions', () => {
    expect(inputJsonSchema(tool.definition.input)).toEqual({
      type: 'object',
      properties: {
        customer_id: {
          type: 'integer',
          minimum: 1,
          description: 'The customer, by id. Find it by customer_find. e.g. 1, 2',
        },
        status: { type: 'string', enum: ['new', 'paid', 'shipped'], description: 'Only orders in this state.' },
      },
      required: ['customer_id'],
      additionalProperties: false,
    });
  });
});

test('the README shows the sample project', () => {
  const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
  const sample = readFileSync(join(FIXTURE, 'customer-orders.meta.yaml'), 'utf8');
  expect(readme).toContain(`\`\`\`yaml\n${sample}\`\`\``);
});

test('mcp.tool names the tool, mcp.enabled switches it off, connection chooses the database', () => {
  const tool = toolOf(
    'alias: a.b\nconnection: other\nsql: SELECT 1\nmcp: { tool: my-tool, enabled: false, description: Gives one }',
  );
  expect(tool.definition.name).toBe('my-tool');
  expect(tool).toMatchObject({ enabled: false, connection: 'other' });
});

test.each([
  ['integer', 1, 1.5],
  ['number', 1.5, '1.5'],
  ['string', '1', 1],
  ['boolean', false, 'false'],
])('a parameter of type %s accepts %j and not %j', (type, good, bad) => {
  const tool = toolOf(withParam(`type: ${type}`));
  expect(accepts(tool, { p: good })).toBe(true);
  for (const input of [{ p: bad }, { p: null }, {}, { p: good, q: 1 }]) expect(accepts(tool, input)).toBe(false);
});

test('bounds apply: to a number its value, to a string its length', () => {
  const number = toolOf(withParam('type: number', 'min: 0.5', 'max: 2'));
  expect([0.4, 0.5, 2, 2.1].map((p) => accepts(number, { p }))).toEqual([false, true, true, false]);
  const string = toolOf(withParam('type: string', 'min: 1', 'max: 2'));
  expect(['', 'a', 'ab', 'abc'].map((p) => accepts(string, { p }))).toEqual([false, true, true, false]);
});

test('a parameter with a default or with required: false may be left out', () => {
  expect(toolOf(withParam('type: integer', 'default: 3')).definition.input.parse({})).toEqual({ p: 3 });
  expect(toolOf(withParam('type: integer', 'required: false')).definition.input.parse({})).toEqual({});
});

test.each([
  ['nothing', '', ['1 is not a map of names and values']],
  ['a list', '- a', ['1 is not a map of names and values']],
  ['no YAML', 'alias: [', [expect.stringMatching(/^\d not valid YAML/)]],
  ['a name twice', 'alias: a.b\nalias: a.c', [expect.stringMatching(/^2 not valid YAML/)]],
  ['fields missing', 'alias: a.b', ['1 sql: is missing', '1 mcp: is missing']],
  [
    'no description',
    'alias: a.b\nsql: SELECT 1\nmcp:\n  timeout: 5',
    [expect.stringMatching(/^\d mcp\.description: is missing$/)],
  ],
  [
    'a slip in a field',
    'alias: a.b\nsql: SELECT 1\nmcp:\n  description: x\n  timeoutt: 5',
    ['5 mcp.timeoutt: unknown field'],
  ],
  [
    'an alias that is no thing.action',
    'alias: orders\nsql: SELECT 1\nmcp: { description: x }',
    ['1 alias: must be thing.action, e.g. customer.orders'],
  ],
  [
    'a name that clients refuse',
    'alias: a.b\nsql: SELECT 1\nmcp:\n  description: x\n  tool: my tool',
    ['5 mcp.tool: must be letters, digits, _ and -, a letter first'],
  ],
  [
    'a time-out over the bound',
    'alias: a.b\nsql: SELECT 1\nmcp:\n  description: x\n  timeout: 600001',
    [expect.stringMatching(/^5 mcp\.timeout: .*600000/)],
  ],
  [
    'hidden characters for the model',
    'alias: a.b\nsql: SELECT 1\nmcp:\n  description: "x\\u202ey"',
    ['4 mcp.description: holds hidden characters'],
  ],
])('a file with %s is left out and reported by line', (_what, source, wanted) => {
  expect(problemsOf(source)).toEqual(wanted);
});

test.each([
  [['type: text'], /^4 params\.p\.type: /],
  [['type: integer', 'default: x'], /^5 params\.p\.default: "x" is not a value that the parameter takes$/],
  [['type: integer', 'max: 5', 'default: 6'], /^6 params\.p\.default: 6 is not a value/],
  [['type: integer', 'default: 1', 'required: true'], /^6 params\.p\.required: is true although there is a default/],
  [['type: integer', 'enum: [1, b]'], /^5 params\.p\.enum: "b" is not of type integer$/],
  [['type: string', 'enum: [a, b]', 'default: c'], /^6 params\.p\.default: "c" is not a value/],
  [['type: string', 'enum: [a]', 'max: 2'], /^5 params\.p\.enum: already limits/],
  [['type: integer', 'min: 2', 'max: 1'], /^5 params\.p\.min: is larger than max$/],
  [['type: string', 'min: -1'], /^\d params\.p: min and max of a string count characters/],
  [['type: boolean', 'min: 1'], /^\d params\.p: a boolean takes no enum, min or max$/],
  [['type: integer', 'defualt: 1'], /^5 params\.p\.defualt: unknown field$/],
])('a parameter with %j is a mistake', (fields, wanted) => {
  expect(problemsOf(withParam(...fields))).toEqual([expect.stringMatching(wanted)]);
});

test.each([
  ['1p', /^\d params\.1p: is not a name of letters/],
  ['__proto__', /:__proto__ is not among the params/],
  ['toString', /toString cannot be the name of a parameter/],
])('a parameter cannot be named %s', (name, wanted) => {
  const source = withParam('type: integer').replace('  p:', `  ${name}:`).replace(':p', `:${name}`);
  expect(problemsOf(source)).toEqual([expect.stringMatching(wanted)]);
});

test('two parameters that some engine treats as the same are a mistake', () => {
  const source = 'alias: a.b\nparams:\n  id: &p { type: integer, description: x }\n  ID: *p\nsql: SELECT :id, :ID\n';
  expect(problemsOf(`${source}mcp: { description: x }`)).toEqual([
    '4 params.ID: ID differs from another parameter in upper and lower case only',
  ]);
});

describe('the statement', () => {
  const source = (sql: string) => `alias: a.b
params:
  id: { type: integer, description: x }
sql: |
${sql
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
mcp: { description: x }
`;

  test('has to use every parameter', () => {
    expect(problemsOf(source('SELECT 1'))).toEqual(['3 params.id: the statement does not use :id']);
    expect(problemsOf(source('SELECT :id2'))).toContain('3 params.id: the statement does not use :id');
  });

  test('has to use it as a value, and the mistake is reported by line', () => {
    expect(problemsOf(source("SELECT 1\nWHERE x LIKE '%:id%'"))).toEqual([
      '6 sql: :id stands in a string or a comment, where it is only text; join strings to it instead',
    ]);
  });

  test('cannot use one that is not declared', () => {
    expect(problemsOf(source('SELECT :id,\n:nmae'))).toEqual(['6 sql: :nmae is not among the params']);
  });

  test('is one statement, but a trigger may contain semicolons', () => {
    expect(problemsOf(source('SELECT :id; SELECT 2'))).toEqual(['5 sql: holds several statements']);
    const trigger = 'CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END';
    expect(toolOf(`alias: a.b\nsql: ${trigger}\nmcp: { description: x }`).sql).toBe(trigger);
  });

  test('is left to the engine where dialects differ', () => {
    expect(toolOf(source("SELECT :id, 'it\\'s :this'")).params.size).toBe(1);
  });
});

test('a hint for an unknown parameter is a mistake', () => {
  const source =
    'alias: a.b\nsql: SELECT 1\nmcp:\n  description: x\n  llm:\n    parameter_hints:\n      q: { note: y }';
  expect(problemsOf(source)).toEqual(['7 mcp.llm.parameter_hints.q: q is not among the params']);
});

test('a description that clients would cut is a mistake', () => {
  const source = `alias: a.b\nsql: SELECT 1\nmcp:\n  description: ${'ä'.repeat(999)}\n  llm: { when_to_use: ${'b'.repeat(500)} }`;
  expect(problemsOf(source)).toEqual([expect.stringMatching(/^4 mcp\.description: .* clients cut it at 2048$/)]);
});

test('of many mistakes the first are reported', () => {
  const fields = Array.from({ length: 20 }, (_, i) => `x${i}: 1`).join('\n');
  const told = problemsOf(fields);
  expect(told).toHaveLength(6);
  expect(told.at(-1)).toMatch(/^and \d+ more mistakes$/);
});

test('any text gives a tool or mistakes', () => {
  const piece = fc.constantFrom(
    ...[
      'alias: a.b\n',
      'sql: SELECT :p\n',
      'mcp: { description: x }\n',
      'params:\n',
      '  p: { type: integer, description: x }\n',
    ],
    ...[
      '- ',
      ': ',
      '&a ',
      '*a',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '|\n',
      '>\n',
      '<<: ',
      '!!x ',
      '? ',
      '#',
      '\n',
      '  ',
      '\t',
      '---\n',
      '\0',
      'é',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const parsed = parseToolFile(FILE, pieces.join(''));
      return 'tool' in parsed ? parsed.tool.definition.name === 'a_b' : parsed.problems.length > 0;
    }),
    { numRuns: 500 },
  );
});

test('endless brackets do not crash the reader', () => {
  for (const source of ['['.repeat(30_000), '{a: '.repeat(10_000), `a: ${'&a [*a, '.repeat(2_000)}`]) {
    expect(problemsOf(source).length).toBeGreaterThan(0);
  }
});
