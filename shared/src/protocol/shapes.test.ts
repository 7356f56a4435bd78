import * as fc from 'fast-check';
import * as z from 'zod';
import type { MessageSchema } from './message-schema.ts';
import { amount, anything, either, exactly, fields, filledText, flag, listOf, oneOf, text, whole } from './shapes.ts';

const values = fc.letrec((tie) => ({
  leaf: fc.constantFrom<unknown>('', 'a', 'on', 0, 1, 1.5, -2, 2 ** 53, true, false, null, undefined),
  list: fc.array(tie('any'), { maxLength: 3 }),
  record: fc.dictionary(fc.constantFrom('name', 'port', 'more', 'stranger'), tie('any'), { maxKeys: 4 }),
  any: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('record')),
})).any;

const PAIRS: readonly (readonly [string, MessageSchema<unknown>, z.ZodType])[] = [
  ['text', text, z.string()],
  ['text that is filled', filledText, z.string().min(1)],
  ['a flag', flag, z.boolean()],
  ['a number', amount, z.number()],
  ['a whole number', whole, z.int()],
  ['anything', anything, z.unknown()],
  ['one of several words', oneOf(['a', 'on']), z.enum(['a', 'on'])],
  ['a list', listOf(listOf(whole)), z.array(z.array(z.int()))],
  [
    'an object',
    fields({ name: text }, { port: whole, more: listOf(flag) }),
    z.object({ name: z.string(), port: z.int().optional(), more: z.array(z.boolean()).optional() }),
  ],
  [
    'an object with no other fields',
    exactly({ name: text }, { port: fields({ more: text }) }),
    z.strictObject({ name: z.string(), port: z.object({ more: z.string() }).optional() }),
  ],
  [
    'one of two objects',
    either(fields({ name: text }), fields({ port: whole, more: anything })),
    z.union([z.object({ name: z.string() }), z.object({ port: z.int(), more: z.unknown() })]),
  ],
];

test.each(PAIRS)('%s: a shape reads exactly what a schema of zod reads', (_what, shape, schema) => {
  fc.assert(
    fc.property(values, (value) => {
      expect(shape.safeParse(value).success).toBe(schema.safeParse(value).success);
    }),
  );
});

test('what was read is the value itself', () => {
  const value = { name: 'a', later: 1 };
  expect(fields({ name: text }).safeParse(value)).toEqual({ success: true, data: value });
});

test.each([
  ['a field of an item', { list: [{ port: 1 }, { port: 'x' }] }, ['list', 1, 'port'], 'expected a whole number'],
  ['a missing field', {}, ['list'], 'is missing'],
  ['a field that is too much', { list: [], extra: 1 }, ['extra'], 'is not known'],
  ['a word that is none of them', { list: [], word: 'c' }, ['word'], 'expected one of a, b'],
])('an issue says where it is and what was expected: %s', (_what, value, path, message) => {
  const shape = exactly({ list: listOf(fields({ port: whole })) }, { word: oneOf(['a', 'b']) });
  expect(shape.safeParse(value)).toEqual({ success: false, error: { issues: [{ path, message }] } });
});
