import { builtInType, shortTypeName } from './type-names.ts';

describe('builtInType', () => {
  it.each([
    [23, -1, 'integer'],
    [1043, 24, 'character varying(20)'],
    [1043, -1, 'character varying'],
    [1700, 655_366, 'numeric(10,2)'],
    [1700, 329_730, 'numeric(5,-2)'],
    [1114, 3, 'timestamp(3) without time zone'],
    [1184, 0, 'timestamp(0) with time zone'],
    [1560, 8, 'bit(8)'],
    [999_999, -1, undefined],
  ])('names %d with %d', (type, modifier, name) => {
    expect(builtInType(type, modifier)).toBe(name);
  });
});

describe('shortTypeName', () => {
  it.each([
    ['character varying(20)', 'varchar(20)'],
    ['character varying[]', 'varchar[]'],
    ['character(2)', 'char(2)'],
    ['timestamp(3) without time zone', 'timestamp(3)'],
    ['timestamp with time zone', 'timestamptz'],
    ['timestamp(6) with time zone[]', 'timestamptz(6)[]'],
    ['time without time zone', 'time'],
    ['double precision', 'float8'],
    ['numeric(10,2)', 'numeric(10,2)'],
    ['"character varying"', '"character varying"'],
  ])('writes %s as %s', (type, short) => {
    expect(shortTypeName(type)).toBe(short);
  });
});
