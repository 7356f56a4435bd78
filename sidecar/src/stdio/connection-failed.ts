/** The request did not get through. `sent` tells whether the other side may have seen it. */
export class ConnectionFailed extends Error {
  readonly sent: boolean;
  readonly wrongProject: boolean;

  constructor(message: string, { sent = false, wrongProject = false, cause }: FailureFacts = {}) {
    super(message, { cause });
    this.name = 'ConnectionFailed';
    this.sent = sent;
    this.wrongProject = wrongProject;
  }
}

export interface FailureFacts {
  readonly sent?: boolean;
  readonly wrongProject?: boolean;
  readonly cause?: unknown;
}

/** There is nobody at the port. */
export function nothingAnswers(cause: unknown): ConnectionFailed {
  return new ConnectionFailed('Nothing answers on the port.', { cause });
}

/** A sidecar is at the port, and not the one that is meant. */
export function otherProject(): ConnectionFailed {
  return new ConnectionFailed('Another project has this port now.', { wrongProject: true });
}

/** Somebody is at the port who does not know the token. */
export function notProven(): ConnectionFailed {
  return new ConnectionFailed('Whoever has this port is not the sidecar of this project.');
}
