import { reasonOf, thrownText, thrownTrace } from './stop-words.ts';

test("LLDB's signal for a pause is a pause, and its other signals are exceptions", () => {
  expect(reasonOf({ reason: 'exception', description: 'signal SIGSTOP' })).toBe('pause');
  expect(reasonOf({ reason: 'exception', description: 'signal SIGSEGV: invalid address' })).toBe('exception');
  expect(reasonOf({ reason: 'exception', text: 'Error: signal SIGSTOP' })).toBe('exception');
  expect(reasonOf({ reason: 'pause' })).toBe('pause');
});

test('what was thrown is reported with its type, once', () => {
  expect(thrownText({ exceptionId: 'ValueError', description: 'no number' })).toBe('ValueError: no number');
  expect(thrownText({ exceptionId: 'TypeError', description: 'TypeError: no number' })).toBe('TypeError: no number');
  expect(thrownText({ exceptionId: 'signal', description: 'signal SIGSEGV' })).toBe('signal SIGSEGV');
  for (const description of [undefined, null, '']) expect(thrownText({ exceptionId: 'Odd', description })).toBe('Odd');
});

test('the calls that led to it do not push out what was thrown', () => {
  const python = {
    exceptionId: 'ValueError',
    description: 'no number',
    details: { stackTrace: 'File "a.py", line 2' },
  };
  expect(thrownTrace(python)).toBe('ValueError: no number\nFile "a.py", line 2');
  const node = { exceptionId: 'Error', description: 'Error: no', details: { stackTrace: 'Error: no\n  at a.js:2' } };
  expect(thrownTrace(node)).toBe('Error: no\n  at a.js:2');
  expect(thrownTrace({ exceptionId: 'Odd', details: { stackTrace: '' } })).toBe('Odd');
});
