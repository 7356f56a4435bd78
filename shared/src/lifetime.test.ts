import { Lifetime } from './lifetime.ts';

test('closes newest first, each once, however often it is ended', async () => {
  const closed: string[] = [];
  const lifetime = new Lifetime();
  lifetime.own('first', (name) => closed.push(name));
  lifetime.own('second', async (name) => closed.push(name));
  await Promise.all([lifetime.end(), lifetime.end()]);
  expect(closed).toEqual(['second', 'first']);
});

test('a failing close does not stop the others, and is reported', async () => {
  const closed: string[] = [];
  const lifetime = new Lifetime();
  lifetime.own('kept', (name) => closed.push(name));
  lifetime.own('bad', () => {
    throw new Error('stuck');
  });
  const failures = await lifetime.end();
  expect(failures.map((failure) => failure.message)).toEqual(['stuck']);
  expect(closed).toEqual(['kept']);
});

test('nothing can be opened in an ended lifetime', async () => {
  const lifetime = new Lifetime();
  await lifetime.end();
  expect(() => lifetime.own(1, () => undefined)).toThrow('ended');
});
