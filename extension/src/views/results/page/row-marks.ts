/** How a row has changed, for eyes and screen readers. */
export interface RowMark {
  readonly kind: 'edited' | 'deleted' | 'added' | 'conflict';
  readonly sign: string;
  readonly label: string;
}

/** What stands before a row that has changed. */
export const MARKS = {
  edited: { kind: 'edited', sign: '✎', label: 'edited' },
  deleted: { kind: 'deleted', sign: '✕', label: 'to be deleted' },
  added: { kind: 'added', sign: '+', label: 'new' },
  conflict: { kind: 'conflict', sign: '!', label: 'in conflict' },
} as const satisfies Record<RowMark['kind'], RowMark>;
