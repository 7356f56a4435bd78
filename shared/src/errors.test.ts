import { AppError, toWire } from './errors.ts';
import { fromWire } from './wire-error.ts';

test('an AppError keeps code, message, hint and details on the wire', () => {
  const wire = toWire(
    new AppError('E_SQL', 'no such column: x', { hint: 'Did you mean y?', details: { near: ['y'] } }),
  );
  expect(wire).toEqual({
    code: 'E_SQL',
    message: 'no such column: x',
    hint: 'Did you mean y?',
    retryable: false,
    details: { near: ['y'] },
  });
  expect(fromWire(JSON.parse(JSON.stringify(wire)))).toMatchObject({ code: 'E_SQL', hint: 'Did you mean y?' });
});

test('any other error leaves as E_INTERNAL without its message', () => {
  const wire = toWire(new Error('postgres://root:hunter2@10.0.0.1'));
  expect(wire.code).toBe('E_INTERNAL');
  expect(JSON.stringify(wire)).not.toContain('hunter2');
});

test('a message that repeats a huge name is cut to its start, in whole characters, with its length', () => {
  const name = '🚀'.repeat(100_000);
  const wire = toWire(
    new AppError('E_UNKNOWN_TABLE', `No table "${name}".`, {
      hint: `Not ${name} either.`,
      details: { engineMessage: name },
    }),
  );
  expect(wire.message).toMatch(/^No table "(🚀)+… \(200012 characters\)$/u);
  expect(JSON.stringify(wire).length).toBeLessThan(15_000);
});

test('the cause never reaches the wire', () => {
  const wire = toWire(new AppError('E_NO_CONNECTION', 'cannot connect', { cause: new Error('hunter2') }));
  expect(JSON.stringify(wire)).not.toContain('hunter2');
});

test.each([[undefined], ['E_SQL'], [{ code: 'E_NO_SUCH_CODE', message: 'm', retryable: false }], [{ code: 'E_SQL' }]])(
  'something that is not a wire error reads as E_INTERNAL: %j',
  (raw) => {
    expect(fromWire(raw)).toMatchObject({ code: 'E_INTERNAL' });
  },
);
