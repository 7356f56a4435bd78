import { Resources } from './resources.ts';

const limits = { memory: { each: 100, all: 150 }, temporary: { each: 50, all: 80 } };
const taken = (memoryBytes: number, temporaryBytes = 0) => ({ memoryBytes, temporaryBytes });

it('ends a statement over the limit of one, and names the limit', () => {
  const resources = new Resources(limits);
  expect(resources.note({}, taken(100, 50), false)).toBeUndefined();
  expect(resources.note({}, taken(101), false)).toMatchObject({ code: 'E_SQL', details: { limit: 'memory' } });
  expect(resources.note({}, taken(0, 51), false)).toMatchObject({ code: 'E_SQL', details: { limit: 'temporary' } });
});

it('over the total limit, ends the one that uses the most, not the one being checked', () => {
  const resources = new Resources(limits);
  const [large, small] = [{}, {}];
  expect(resources.note(large, taken(90), false)).toBeUndefined();
  expect(resources.note(small, taken(70), false)).toBeUndefined();
  expect(resources.note(large, taken(90), false)).toMatchObject({ details: { limit: 'memory' } });
  resources.forget(large);
  expect(resources.note(small, taken(70), false)).toBeUndefined();
});

it("limits a change's memory, but not its temporary files", () => {
  const resources = new Resources(limits);
  expect(resources.note({}, taken(0, 10_000), true)).toBeUndefined();
  expect(resources.note({}, taken(101), true)).toMatchObject({ details: { limit: 'memory' } });
});
