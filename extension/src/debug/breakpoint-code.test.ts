import { passedOver } from './breakpoint-code.ts';

const ALL = { supportsConditionalBreakpoints: true, supportsHitConditionalBreakpoints: true, supportsLogPoints: true };

test('a debugger that can do all that a breakpoint asks for passes over nothing', () => {
  expect(passedOver('node', ALL, { condition: 'i > 1', hitCondition: '2', logMessage: 'i' })).toBeUndefined();
  expect(passedOver('odd', {}, {})).toBeUndefined();
});

test('each part that a debugger cannot do is named', () => {
  expect(passedOver('odd', { ...ALL, supportsLogPoints: false }, { condition: 'i', logMessage: 'i' })).toBe(
    'The debugger odd passes over logMessage: the program stops here at every hit.',
  );
  expect(passedOver('odd', {}, { condition: 'i', hitCondition: '2' })).toContain('condition and hitCondition');
});
