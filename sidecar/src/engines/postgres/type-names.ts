/** A type by the shorter of its names, which Postgres understands as well. */
export function shortTypeName(type: string): string {
  return type
    .replace(/^character varying\b/, 'varchar')
    .replace(/^character\b/, 'char')
    .replace(/^(timestamp|time)(\(\d\))? without time zone\b/, '$1$2')
    .replace(/^(timestamp|time)(\(\d\))? with time zone\b/, '$1tz$2')
    .replace(/^double precision\b/, 'float8');
}

/** Types by number, named as Postgres writes them in a schema. Numbers of built-in types never change. */
const BUILT_IN: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'bytea',
  18: '"char"',
  19: 'name',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  24: 'regproc',
  25: 'text',
  26: 'oid',
  27: 'tid',
  28: 'xid',
  114: 'json',
  142: 'xml',
  194: 'pg_node_tree',
  600: 'point',
  601: 'lseg',
  602: 'path',
  603: 'box',
  604: 'polygon',
  628: 'line',
  650: 'cidr',
  700: 'real',
  701: 'double precision',
  705: 'unknown',
  718: 'circle',
  790: 'money',
  829: 'macaddr',
  869: 'inet',
  1000: 'boolean[]',
  1001: 'bytea[]',
  1005: 'smallint[]',
  1007: 'integer[]',
  1009: 'text[]',
  1015: 'character varying[]',
  1016: 'bigint[]',
  1021: 'real[]',
  1022: 'double precision[]',
  1042: 'character',
  1043: 'character varying',
  1082: 'date',
  1083: 'time without time zone',
  1114: 'timestamp without time zone',
  1115: 'timestamp without time zone[]',
  1182: 'date[]',
  1184: 'timestamp with time zone',
  1185: 'timestamp with time zone[]',
  1186: 'interval',
  1231: 'numeric[]',
  1266: 'time with time zone',
  1560: 'bit',
  1562: 'bit varying',
  1700: 'numeric',
  2205: 'regclass',
  2206: 'regtype',
  2249: 'record',
  2278: 'void',
  2950: 'uuid',
  2951: 'uuid[]',
  3614: 'tsvector',
  3615: 'tsquery',
  3802: 'jsonb',
  3807: 'jsonb[]',
  3904: 'int4range',
  3906: 'numrange',
  3908: 'tsrange',
  3910: 'tstzrange',
  3912: 'daterange',
  3926: 'int8range',
};

/** The name of a built-in type; undefined for types of this database and rare ones. */
export function builtInType(type: number, modifier: number): string | undefined {
  const name = BUILT_IN[type];
  if (name === undefined || modifier < 0) return name;
  return modified(type, name, modifier) ?? name;
}

/** A type with its modifier: `numeric(10,2)`. */
function modified(type: number, name: string, modifier: number): string | undefined {
  switch (type) {
    case 1042:
    case 1043:
      return `${name}(${modifier - 4})`;
    case 1560:
    case 1562:
      return `${name}(${modifier})`;
    case 1700: {
      const scale = (modifier - 4) & 0x7ff;
      return `numeric(${(modifier - 4) >> 16},${scale > 1023 ? scale - 2048 : scale})`;
    }
    case 1083:
    case 1114:
    case 1184:
    case 1266:
      return name.replace(/^(time(?:stamp)?)/, `$1(${modifier})`);
    default:
      return undefined;
  }
}
