import type { CatalogRow } from './catalog.ts';
import { type AliasStep, operationOf, type ServerPlan } from './plan-nodes.ts';

/** Reads the classic plan table, which every server has for changes too. */
export function readRows(rows: readonly CatalogRow[]): ServerPlan {
  return { steps: rows.map(stepOf), source: rows.map((row) => JSON.stringify(row)).join('\n') };
}

function stepOf({ table, type, key, rows, Extra: extra }: CatalogRow): AliasStep {
  const access: AliasStep = {
    operation: type === null || type === undefined ? 'constant rows' : operationOf(type),
    alias: table ?? undefined,
    index: key === 'PRIMARY' ? 'primary key' : (key ?? undefined),
    detail: extra === null || extra === '' ? undefined : extra,
    estimatedRows: rows === null || rows === undefined ? undefined : Number(rows),
    signs: { lacksIndex: /join buffer/.test(extra ?? '') && type === 'ALL' ? { why: 'joined' } : undefined },
    children: [],
  };
  return /Using filesort/.test(extra ?? '') ? { operation: 'sort', children: [access] } : access;
}
