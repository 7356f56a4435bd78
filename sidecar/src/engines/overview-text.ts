import type { ToolOutput } from '@devdb/shared/tools';

export type Overview = ToolOutput<'get-overview'>;
export type TableEntry = Overview['tables'][number];

export interface OverviewColumn {
  /** As it would be written in a statement. */
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly notNull: boolean;
  readonly isUnique: boolean;
  readonly isGenerated: boolean;
}

/** One column as get-overview shows it. */
export function columnText({ name, type, isKey, notNull, isUnique, isGenerated }: OverviewColumn): string {
  const marks = [
    isKey ? 'PK' : '',
    notNull ? 'NOT NULL' : '',
    isUnique ? 'UNIQUE' : '',
    isGenerated ? 'GENERATED' : '',
  ];
  return [name, type, ...marks].filter((part) => part !== '').join(' ');
}
