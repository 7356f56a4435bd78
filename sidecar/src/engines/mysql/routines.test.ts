import type { Call } from './judge.ts';
import { areHarmless, type Routine } from './routines.ts';

const CALL_F: Call = { schema: undefined, name: 'f', sometimesBuiltIn: false };

function known(...bodies: readonly (string | undefined)[]): (calls: readonly Call[]) => Promise<readonly Routine[]> {
  const routines = bodies.map((body, at) => ({ schema: 's', name: at === 0 ? 'f' : `f${at}`, body }));
  return async (calls) => routines.filter(({ name }) => calls.some((call) => call.name === name));
}

describe('areHarmless', () => {
  it.each([
    ['RETURN 1'],
    ['BEGIN DECLARE n int; SELECT count(*) INTO n FROM t; IF (n > 1) THEN RETURN upper("x"); END IF; RETURN n; END'],
    ['RETURN REPLACE("a", "b", INSERT("c", 1, 1, "d"))'],
    ['RETURN f1(2)'],
  ])('takes a function of which all is seen: %s', async (body) => {
    expect(await areHarmless([CALL_F], known(body, 'RETURN 3'))).toBe(true);
  });

  it.each([
    ['BEGIN SET GLOBAL max_connections = 1; RETURN 1; END'],
    ['BEGIN SET @@global.max_connections = 1; RETURN 1; END'],
    ['BEGIN INSERT INTO t VALUES (1); RETURN 1; END'],
    ["BEGIN SELECT 1 INTO OUTFILE '/x'; RETURN 1; END"],
    ['BEGIN CALL p(); RETURN 1; END'],
    ["RETURN LOAD_FILE('/etc/passwd')"],
    ["RETURN sys_exec('x')"],
    ['RETURN nextval(s)'],
    ['RETURN unknown_function(1)'],
    ['RETURN 1 /*! , 2 */'],
    ["RETURN 'a\\' or \"b'"],
    [undefined],
  ])('refuses one that reaches further or is not seen: %s', async (body) => {
    expect(await areHarmless([CALL_F], known(body, 'RETURN 3'))).toBe(false);
  });

  it('ends with functions that call each other', async () => {
    expect(await areHarmless([CALL_F], known('RETURN f1(1)', 'RETURN f(1)'))).toBe(true);
  });

  it('takes a name that some servers know for theirs, where nobody made one', async () => {
    expect(await areHarmless([{ ...CALL_F, name: 'uuid_v7', sometimesBuiltIn: true }], known('RETURN 1'))).toBe(true);
    expect(await areHarmless([{ ...CALL_F, name: 'nobodys' }], known('RETURN 1'))).toBe(false);
  });
});
