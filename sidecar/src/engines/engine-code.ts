import type { ErrorDetails } from '@devdb/shared/errors';

/** What an engine, its driver or the system called an error. */
export interface Called {
  /** A name or a code that is a text: SQLITE_BUSY, ER_DUP_ENTRY, ECONNREFUSED. */
  readonly name?: string | undefined;
  readonly number?: number | undefined;
  readonly sqlState?: string | undefined;
}

/** The same fields on all engines. An error without a name has none of them. */
export function engineCode({ name, number, sqlState }: Called): ErrorDetails {
  const code = name ?? sqlState ?? number?.toString();
  return {
    ...(code === undefined ? {} : { engineCode: code }),
    ...(number === undefined ? {} : { errno: number }),
    ...(sqlState === undefined || sqlState === '' ? {} : { sqlState }),
  };
}
