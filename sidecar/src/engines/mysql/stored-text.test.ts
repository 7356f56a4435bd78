import { namesOfRoutine, namesOfView } from './stored-text.ts';

const routine = (body: string, mode = ''): ReturnType<typeof namesOfRoutine> =>
  namesOfRoutine(
    `CREATE DEFINER=\`root\`@\`%\` FUNCTION \`f\`(n int, s varchar(20)) RETURNS int\n    DETERMINISTIC\n${body}`,
    mode,
  );

describe('namesOfRoutine', () => {
  it.each([
    ['RETURN 1'],
    ['BEGIN DECLARE n int; SELECT count(*) INTO n FROM t; IF (n > 1) THEN RETURN upper("x"); END IF; RETURN n; END'],
    ['RETURN REPLACE("a", "b", INSERT("c", 1, 1, TRUNCATE(1, 0)))'],
    ['BEGIN SET @a = @@global.max_connections; RETURN @a; END'],
    ['RETURN CONCAT(statement, `update`, t.`delete`)'],
  ])('accepts a text that is fully visible: %s', (body) => {
    expect(routine(body)).toBeDefined();
  });

  it.each([
    ['BEGIN SET GLOBAL max_connections = 1; RETURN 1; END'],
    ['BEGIN SET @@global.max_connections = 1; RETURN 1; END'],
    ['BEGIN SET @@persist.max_connections := 1; RETURN 1; END'],
    ['BEGIN DECLARE EXIT HANDLER FOR NOT FOUND SET GLOBAL a = 1; RETURN 1; END'],
    ['BEGIN DECLARE EXIT HANDLER FOR NOT FOUND START SLAVE; RETURN 1; END'],
    ['BEGIN KILL (5); RETURN 1; END'],
    ['BEGIN INSERT INTO t VALUES (1); RETURN 1; END'],
    ["BEGIN SELECT 1 INTO OUTFILE '/x'; RETURN 1; END"],
    ['BEGIN CALL p(); RETURN 1; END'],
    ['BEGIN SET STATEMENT a = 1 FOR SELECT 1; RETURN 1; END'],
    ['BEGIN SET RESOURCE GROUP g FOR 5; RETURN 1; END'],
    ["RETURN LOAD_FILE('/etc/passwd')"],
    ["RETURN `get_lock`('a', 0)"],
    ['RETURN nextval(s)'],
    ['RETURN NEXT VALUE FOR s'],
    ['RETURN 1 /*! , 2 */'],
    ['LANGUAGE JAVASCRIPT AS $$ return 1 $$'],
  ])('refuses one that reaches further, or is not understood: %s', (body) => {
    expect(routine(body)).toBeUndefined();
  });

  it('reads a text in the sql_mode it was made in', () => {
    expect(routine('RETURN "a"()', 'ANSI_QUOTES')?.calls).toMatchObject([{ name: 'a', form: 'quoted' }]);
    expect(routine("RETURN 'a\\' + f1() -- '", 'NO_BACKSLASH_ESCAPES')?.calls).toMatchObject([{ name: 'f1' }]);
    expect(routine('RETURN 1', 'PIPES_AS_CONCAT,ORACLE')).toBeUndefined();
  });

  it('lists what the body reads, and none of its parameters', () => {
    const body =
      'BEGIN DECLARE c CURSOR FOR SELECT id FROM V_x JOIN s.t; OPEN c; FETCH NEXT FROM c INTO n; RETURN g(n); END';
    expect(routine(body)).toMatchObject({
      calls: [{ name: 'g' }],
      tables: [{ name: 'V_x' }, { schema: 's', name: 't' }],
    });
  });
});

describe('namesOfView', () => {
  it('lists tables and calls', () => {
    expect(namesOfView('select `s`.`f`(1) AS `a`,count(0) AS `n` from `s`.`V x` `y`')).toEqual({
      calls: [{ schema: 's', name: 'f', form: 'tight', inPackage: false }].map((call) => ({ ...call, form: 'quoted' })),
      tables: [{ schema: 's', name: 'V x', isOwn: false }],
    });
  });

  it.each([
    ["select get_lock('a',0) AS `a`"],
    ['select nextval(`s`.`q`) AS `a`'],
    ["select 'open"],
    ['select 1 for update'],
  ])('refuses what does more than read, or is not understood: %s', (text) => {
    expect(namesOfView(text)).toBeUndefined();
  });
});
