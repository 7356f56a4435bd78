import { AppError } from '@devdb/shared/errors';
import type { ServerTarget } from './engine.ts';
import { engineCode } from './engine-code.ts';

/** How the user allows it, for hints. */
export const APPROVE_CLEAR_TEXT = '`devdb trust --project DIR --connection ID` (list-connections has the id)';

/** A server asked for the password in a form that it, or anybody listening, can read. Nothing was sent. */
export class ClearTextRefused extends Error {
  constructor() {
    super('The server asks for the password in clear text.');
    this.name = 'ClearTextRefused';
  }
}

/** Whether an error is that refusal, or a lost connection because of it. */
export function isClearTextRefusal(error: unknown): boolean {
  return error instanceof ClearTextRefused || (error instanceof Error && error.cause instanceof ClearTextRefused);
}

/**
 * Whether a password may be sent in clear text: inside TLS, through a local socket, or because the user approved it. A
 * host that is this machine proves nothing: any of its users may listen on a port.
 */
export function mayGoInClear({ host, approved }: ServerTarget, isEncrypted: boolean): boolean {
  return isEncrypted || approved === true || host.startsWith('/');
}

/** The refusal as the caller sees it. */
export function clearTextError(cause: unknown): AppError {
  return new AppError(
    'E_NO_CONNECTION',
    'The server asks for the password in clear text without TLS; it was not sent.',
    {
      hint: `Switch TLS on at the server, connect through its socket, or give the user another way to log in. A person can approve it anyway: ${APPROVE_CLEAR_TEXT}.`,
      details: engineCode({ name: 'CLEAR_TEXT_REFUSED' }),
      cause,
    },
  );
}
