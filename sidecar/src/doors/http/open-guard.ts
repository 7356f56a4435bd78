import type { IncomingMessage } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import type { RequestGuard } from './request-guard.ts';

/** Lets every program on this machine in without the token; pages in browsers stay outside. */
export class OpenGuard implements RequestGuard {
  readonly #guard: RequestGuard;

  /** Takes the rules about hosts, origins and projects from a guard of the same port. */
  constructor(guard: RequestGuard) {
    this.#guard = guard;
  }

  source(req: IncomingMessage): AppError | undefined {
    const site = req.headers['sec-fetch-site'];
    // A page may send some requests without an origin; browsers name the site of all of them.
    if (site === undefined || site === 'none') return this.#guard.source(req);
    return new AppError('E_FORBIDDEN', 'Requests from web pages are not served.');
  }

  isAuthorized(): boolean {
    return true;
  }

  /** A caller may name this project only; without a token, the disk is not looked at. */
  project(req: IncomingMessage): AppError | undefined {
    return this.#guard.project(req);
  }

  namesProject(req: IncomingMessage): boolean {
    return this.#guard.namesProject(req);
  }
}
