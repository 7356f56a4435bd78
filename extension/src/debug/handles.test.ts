import * as fc from 'fast-check';
import { Handles } from './handles.ts';

class Program {
  epoch = 0;
}

test('a number stands for one thing, and for nothing once its program has run on', () => {
  const handles = new Handles<Program>();
  const program = new Program();
  const frame = handles.give({ owner: program, kind: 'frame', id: 7 });
  expect(handles.give({ owner: program, kind: 'frame', id: 7 })).toBe(frame);
  expect(handles.give({ owner: program, kind: 'variables', id: 7 })).not.toBe(frame);
  expect(handles.find(frame, 'frame')).toMatchObject({ handle: { id: 7 } });
  expect(handles.find(frame, 'variables')).toEqual({ problem: 'unknown' });
  expect(handles.find(99, 'frame')).toEqual({ problem: 'unknown' });
  program.epoch += 1;
  expect(handles.find(frame, 'frame')).toEqual({ problem: 'stale' });
  const next = handles.give({ owner: program, kind: 'frame', id: 7 });
  expect(next).not.toBe(frame);
  expect(handles.find(frame, 'frame')).toEqual({ problem: 'stale' });
  handles.forget(program);
  expect(handles.find(next, 'frame')).toEqual({ problem: 'stale' });
});

test('whatever programs do, no number is ever read as something else than it was given for', () => {
  const step = fc.record({
    program: fc.integer({ min: 0, max: 2 }),
    act: fc.constantFrom('give', 'give', 'give', 'run on', 'end'),
    id: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const handles = new Handles<Program>();
      const programs = [new Program(), new Program(), new Program()];
      const given = new Map<number, { owner: Program; id: number; epoch: number }>();
      for (const { program, act, id } of steps) {
        const owner = programs[program] ?? new Program();
        if (act === 'run on') owner.epoch += 1;
        if (act === 'end') handles.forget(owner);
        if (act === 'give')
          given.set(handles.give({ owner, kind: 'variables', id }), { owner, id, epoch: owner.epoch });
        for (const [number, { owner: its, id: known, epoch }] of given) {
          const found = handles.find(number, 'variables');
          if ('problem' in found) expect(found.problem).toBe('stale');
          else expect(found.handle).toMatchObject({ id: known, owner: its });
          if (its.epoch !== epoch) expect(found).toEqual({ problem: 'stale' });
        }
      }
    }),
  );
});
