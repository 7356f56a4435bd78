export interface FailureFacts {
  readonly sent?: boolean;
  readonly wrongProject?: boolean;
  readonly refused?: boolean;
  readonly cause?: unknown;
}

/** A request did not get through to a sidecar. */
export class ConnectionFailed extends Error {
  /** Whether the other side may have seen it. */
  readonly sent: boolean;
  /** A sidecar of another project has the port. */
  readonly wrongProject: boolean;
  /** The holder of the port answered, but it is not a sidecar of this user. */
  readonly refused: boolean;

  constructor(message: string, { sent = false, wrongProject = false, refused = false, cause }: FailureFacts = {}) {
    super(message, { cause });
    this.name = 'ConnectionFailed';
    this.sent = sent;
    this.wrongProject = wrongProject;
    this.refused = refused;
  }
}

/** Nothing listens on the port, or it does not answer. */
export function nothingAnswers(cause: unknown): ConnectionFailed {
  return new ConnectionFailed('Nothing responds on the port.', { cause });
}

export function otherProject(): ConnectionFailed {
  return new ConnectionFailed('Another project has this port now.', { wrongProject: true });
}

export function notProven(): ConnectionFailed {
  return new ConnectionFailed("The process on this port is not this project's sidecar.", { refused: true });
}
