import type { EngineKind } from '@devdb/shared/engines';
import {
  type DialectOptions,
  formatDialect,
  mysql,
  type ParamTypes,
  postgresql,
  sqlite,
  transactsql,
} from 'sql-formatter';
import { EXPRESSION_WIDTH } from './limits.ts';

/** How far a line is indented for each level. */
export interface Indent {
  readonly size: number;
  readonly tabs: boolean;
}

export interface LayOutRequest {
  readonly kind: EngineKind;
  readonly statements: readonly string[];
  readonly indent: Indent;
}

/** A statement in lines, or why it could not be read. */
export type Laid =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string | undefined };

const DIALECTS = { sqlite, mysql2: mysql, postgres: postgresql, mssql: transactsql } satisfies Record<
  EngineKind,
  DialectOptions
>;

/** Placeholders of drivers, and `:name`, which is DevDB's own. */
const PLACEHOLDERS = {
  sqlite: { positional: true, numbered: ['?'], named: [':', '@', '$'] },
  mysql2: { positional: true, named: [':'] },
  postgres: { numbered: ['$'], named: [':'] },
  mssql: { named: [':', '@'] },
} satisfies Record<EngineKind, ParamTypes>;

/** Where the library stopped: its lexer says what is left of the text, its grammar the token. */
const UNEXPECTED = /\bUnexpected "([^"\s]{1,40})|\bParse error at token: (\S{1,40})/;

/** Lays statements out in lines. It is only a proposal: what it does to a statement is not to be relied on. */
export function layOut({ kind, statements, indent }: LayOutRequest): Laid[] {
  return statements.map((statement) => layOutOne(kind, statement, indent));
}

function layOutOne(kind: EngineKind, statement: string, { size, tabs }: Indent): Laid {
  try {
    const text = formatDialect(statement, {
      dialect: DIALECTS[kind],
      paramTypes: PLACEHOLDERS[kind],
      tabWidth: size,
      useTabs: tabs,
      expressionWidth: EXPRESSION_WIDTH,
      keywordCase: 'preserve',
    });
    return { ok: true, text };
  } catch (error) {
    const [, rest, token] = UNEXPECTED.exec(error instanceof Error ? error.message : '') ?? [];
    return { ok: false, problem: rest ?? token };
  }
}
