import { connectionOf, draftOf, hostProblem, nameProblem, pathProblem, portProblem, suggestedName } from './draft.ts';
import { BACK, type Back, type Place, runSteps, type Step } from './steps.ts';

type State = Readonly<Record<string, string>>;

/** Steps answered from a list; leftover answers are a mistake in the test. */
function scripted(answers: readonly (string | Back | undefined)[]) {
  const left = [...answers];
  const asked: string[] = [];
  const step = (name: string, extra: Partial<Step<State>> = {}): Step<State> => ({
    ...extra,
    run: async (state: State, { step: at, totalSteps, canGoBack }: Place) => {
      asked.push(`${name} ${at}/${totalSteps}${canGoBack ? ' <' : ''}`);
      if (extra.isSilent) return state;
      const answer = left.shift();
      return answer === undefined || answer === BACK ? answer : { ...state, [name]: answer };
    },
  });
  return { step, asked, left };
}

describe('the steps of a wizard', () => {
  test('run in order; going back skips silent ones and keeps what was entered', async () => {
    const { step, asked, left } = scripted(['server', 'h1', BACK, 'h2', 'n', BACK, 'm', 'k']);
    const steps = (state: State) => [
      step('kind'),
      ...(state['kind'] === 'server' ? [step('host')] : [step('file')]),
      step('name'),
      step('test', { isSilent: true }),
      step('keep'),
    ];
    const done = await runSteps<State>({}, steps);
    expect(done).toEqual({ kind: 'server', host: 'h2', name: 'm', keep: 'k' });
    expect(left).toEqual([]);
    expect(asked).toEqual([
      'kind 1/4',
      'host 2/4 <',
      'name 3/4 <',
      'host 2/4 <',
      'name 3/4 <',
      'test 0/4 <',
      'keep 4/4 <',
      'name 3/4 <',
      'test 0/4 <',
      'keep 4/4 <',
    ]);
  });

  test('end without a result when the person gives up', async () => {
    const { step } = scripted(['a', undefined]);
    await expect(runSteps<State>({}, () => [step('one'), step('two')])).resolves.toBeUndefined();
  });
});

describe('what the user enters', () => {
  test.each([
    ['localhost', undefined],
    ['/var/run/postgresql', undefined],
    ['::1', undefined],
    ['', 'A host is needed.'],
    ['db:5432', 'Leave the port to the next step.'],
    ['postgres://db/x', 'This is a URL. Go back and choose "Paste a URL".'],
  ])('for host %j gives the problem %j', (text, problem) => {
    expect(hostProblem(text)).toBe(problem);
  });

  test.each(['0', '65536', '1e3', '', '-1', '54 32'])('for port %j is refused', (text) => {
    expect(portProblem(text)).toBe('A port is a number from 1 to 65535.');
    expect(portProblem(' 5432 ')).toBeUndefined();
  });

  test('as a path or name is refused with the reason', () => {
    expect(pathProblem(':memory:')).toContain('memory');
    expect(pathProblem('~/x.db')).toContain('~');
    expect(pathProblem('data/x.db')).toBeUndefined();
    expect(nameProblem(['my shop'])(' my-shop')).toContain('with this name');
    expect(nameProblem(['my shop'])('shop')).toBeUndefined();
  });

  test('becomes a connection without its password', () => {
    const draft = {
      root: '/p',
      beginning: 'url',
      urlType: 'postgres',
      host: 'db',
      database: 'shop',
      password: 'pw',
    } as const;
    const connection = connectionOf({ ...draft, options: { sslmode: 'require' } });
    expect(connection).toEqual({
      type: 'postgres',
      name: 'shop',
      host: 'db',
      port: 5432,
      username: '',
      database: 'shop',
      options: { sslmode: 'require' },
    });
    expect(suggestedName({ root: '/p', path: 'data\\x.db' })).toBe('x.db');
  });
});

describe('a connection that is known from elsewhere', () => {
  const connection = { type: 'postgres', host: '127.0.0.1', database: 'shop' };

  test('begins the wizard with its fields', () => {
    expect(draftOf({ root: '/a', connection }, ['/a', '/b'])).toEqual({
      root: '/a',
      beginning: 'postgres',
      host: '127.0.0.1',
      port: '5432',
      username: '',
      database: 'shop',
    });
    expect(draftOf({ root: '/b', connection: { type: 'sqlite', path: 'a.db' } }, ['/a', '/b'])).toEqual({
      root: '/b',
      beginning: 'sqlite',
      path: 'a.db',
    });
  });

  test.each([
    [undefined],
    ['text'],
    [{ root: '/elsewhere', connection }],
    [{ root: '/a', connection: { ...connection, type: 'oracle' } }],
    [{ root: '/a', connection: { ...connection, password: 'hush' } }],
  ])('begins it as usual where it is not understood: %j', (known) => {
    expect(draftOf(known, ['/a', '/b'])).toEqual({});
  });
});
