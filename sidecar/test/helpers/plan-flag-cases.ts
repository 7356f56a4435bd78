import type { PlanFlag } from '@devdb/shared/plans';
import type { EngineName } from './engines-under-test.ts';

/** A statement whose plan has the flag, and one like it whose plan has not. */
export interface FlagCase {
  readonly shows: string;
  readonly calm: string;
  /** The table that the flag names. */
  readonly table?: string;
  /** The flag needs what a run measures. */
  readonly analyze?: true;
}

/** Why an engine cannot show a flag; `recorded` names the test that shows it on a recorded plan. */
export type FlagCell = FlagCase | { readonly never: string } | { readonly recorded: string };

const RECORDED = { recorded: 'src/engines/mssql/plan-nodes.test.ts' } as const;

const FULL_SCAN: FlagCase = {
  shows: 'SELECT * FROM big WHERE n + 0 = 5',
  calm: 'SELECT * FROM big WHERE id = 5',
  table: 'big',
};
const TEMP_SORT: FlagCase = {
  shows: 'SELECT * FROM big ORDER BY n + 0',
  calm: 'SELECT * FROM big WHERE id < 100 ORDER BY id',
};
/** 4,500 of the 5,000 values of `k` are 1: an index of so many different ones makes the server expect few of each. */
const SKEWED: FlagCase = {
  shows: 'SELECT * FROM few JOIN big ON big.k = few.k',
  calm: 'SELECT * FROM big WHERE id < 100',
  table: 'big',
  analyze: true,
};
const JOINED: FlagCase = {
  shows: 'SELECT count(*) FROM other x JOIN other y ON y.n = x.n',
  calm: 'SELECT * FROM few JOIN big ON big.k = few.k',
  table: 'other',
};
const CONVERTED: FlagCase = {
  shows: 'SELECT * FROM big WHERE code = 5',
  calm: "SELECT * FROM big WHERE code = '5'",
};

/** Every flag on every engine, on the tables of `plan-flags.contract.test.ts`. */
export const FLAG_CASES = {
  'full-scan': { sqlite: FULL_SCAN, postgres: FULL_SCAN, mysql: FULL_SCAN, mariadb: FULL_SCAN, mssql: RECORDED },
  'missing-index': {
    sqlite: JOINED,
    postgres: { shows: 'SELECT * FROM big WHERE n = 5', calm: 'SELECT * FROM big WHERE n > 5', table: 'big' },
    mysql: JOINED,
    mariadb: JOINED,
    mssql: RECORDED,
  },
  'rows-misjudged': {
    sqlite: { never: 'Its plan neither estimates the rows of a step nor counts them.' },
    postgres: {
      shows: 'SELECT * FROM big WHERE n * 0 = 0',
      calm: 'SELECT * FROM big WHERE n > 5',
      table: 'big',
      analyze: true,
    },
    mysql: SKEWED,
    mariadb: SKEWED,
    mssql: RECORDED,
  },
  'temp-sort': { sqlite: TEMP_SORT, postgres: TEMP_SORT, mysql: TEMP_SORT, mariadb: TEMP_SORT, mssql: RECORDED },
  'implicit-conversion': {
    sqlite: { never: 'It compares by the affinity of the column, and its plan does not tell what it converts.' },
    postgres: {
      never:
        'It refuses to compare most types that differ, and prints the few conversions of its own like those of the statement.',
    },
    mysql: CONVERTED,
    mariadb: { ...CONVERTED, table: 'big' },
    mssql: RECORDED,
  },
} satisfies Record<PlanFlag['flag'], Record<EngineName, FlagCell>>;
