import { AppError } from '@devdb/shared/errors';
import { type Called, engineCode } from './engine-code.ts';

/** How far a statement had got when its connection was lost. */
export type Reached = 'nothing-sent' | 'read' | 'uncommitted' | 'maybe-committed';

const OUTCOMES: Readonly<Record<Reached, string>> = {
  'nothing-sent': 'The statement was not sent.',
  read: 'It was a read: nothing was changed.',
  uncommitted: 'It had not been committed: the server rolls it back.',
  'maybe-committed': 'Whether it took effect is not known.',
};

export interface LastWords {
  /** The server's own message, where the server ended the connection. */
  readonly said?: string | undefined;
  readonly called?: Called | undefined;
  readonly cause: unknown;
}

/**
 * The error of a statement whose connection was lost; it says whether the statement may have been executed. If it may
 * have been, the code is not E_NO_CONNECTION, which tells clients that they may send the call again.
 */
export function lostConnection(reached: Reached, { said, called = {}, cause }: LastWords): AppError {
  const mayHaveBeenCarriedOut = reached === 'maybe-committed';
  const why = said === undefined ? '' : ` (${said})`;
  const message = `The connection to the database was lost${why}. ${OUTCOMES[reached]}`;
  return new AppError(mayHaveBeenCarriedOut ? 'E_SQL' : 'E_NO_CONNECTION', message, {
    hint: mayHaveBeenCarriedOut
      ? 'Check the rows it would change before running it again.'
      : 'Run it again: the next call reconnects.',
    details: { ...engineCode(called), mayHaveBeenCarriedOut },
    cause,
  });
}
