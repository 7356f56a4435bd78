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
