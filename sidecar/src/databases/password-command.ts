import { spawn } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import type { PasswordCommand } from '../detection/detector.ts';
import type { ProcessEnv } from '../detection/project-view.ts';
import { codeOf } from '../host/error-code.ts';
import { findProgram } from '../host/programs.ts';
import { Secret } from '../host/secret.ts';
import { MAX_PASSWORD_BYTES, PASSWORD_COMMAND_FRESH_MS, PASSWORD_COMMAND_TIMEOUT_MS } from './limits.ts';

/** How to run a password command. */
export interface PasswordCommandOptions {
  readonly projectRoot: string;
  readonly env: ProcessEnv | undefined;
  readonly now: () => number;
}

/** The database that asks, for the message of a failure. */
export interface Asking {
  readonly id: string;
  /** Changes with everything the approval covers. */
  readonly trustHash: string;
  readonly passwordCommand: PasswordCommand;
}

interface Known {
  readonly password: Promise<Secret>;
  readonly began: number;
}

interface Running {
  readonly stop: AbortController;
  waiting: number;
}

/** Passwords from commands of the project. Callers make sure that the command is approved. */
export class PasswordCommands {
  readonly #options: PasswordCommandOptions;
  readonly #known = new Map<string, Known>();
  readonly #running = new Map<string, Running>();

  constructor(options: PasswordCommandOptions) {
    this.#options = options;
  }

  /** The password; one run serves every call within its time. A run that no call waits for any more is ended. */
  async password(asking: Asking, signal: AbortSignal): Promise<Secret> {
    signal.throwIfAborted();
    const { trustHash: key } = asking;
    const known = this.#fresh(key) ?? this.#start(asking);
    const running = this.#running.get(key);
    if (running) running.waiting += 1;
    try {
      return await unlessAborted(known.password, signal);
    } finally {
      if (running) {
        running.waiting -= 1;
        if (running.waiting === 0) running.stop.abort(signal.reason);
      }
    }
  }

  #fresh(key: string): Known | undefined {
    const known = this.#known.get(key);
    const age = known === undefined ? 0 : this.#options.now() - known.began;
    return age >= 0 && age < PASSWORD_COMMAND_FRESH_MS ? known : undefined;
  }

  #start(asking: Asking): Known {
    const { trustHash: key } = asking;
    const running = { stop: new AbortController(), waiting: 0 };
    const password = run(asking, this.#options, running.stop.signal).catch((error: unknown) => {
      // The next call tries again.
      this.#known.delete(key);
      throw error;
    });
    const known = { password, began: this.#options.now() };
    this.#running.set(key, running);
    this.#known.set(key, known);
    const done = (): void => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    password.then(done, done);
    return known;
  }
}

/** Runs the command without a shell. Its output is the password, so none of it is reported, even on failure. */
async function run(asking: Asking, options: PasswordCommandOptions, signal: AbortSignal): Promise<Secret> {
  const [program = '', ...args] = asking.passwordCommand.argv;
  const { promise, resolve, reject } = Promise.withResolvers<Secret>();
  const deadline = AbortSignal.timeout(PASSWORD_COMMAND_TIMEOUT_MS);
  const found = programOf(program, options);
  if (found === undefined) throw failure(asking, 'could not be started (ENOENT)');
  const child = spawn(found, args, {
    cwd: options.projectRoot,
    ...(options.env === undefined ? {} : { env: options.env }),
    shell: false,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = (reason: string): void => {
    child.kill('SIGKILL');
    // A child left behind by the command may hold the pipe open.
    child.stdout.destroy();
    reject(failure(asking, reason));
  };
  const onStop = (): void => end('was ended');
  const onDeadline = (): void => end(`did not end within ${PASSWORD_COMMAND_TIMEOUT_MS / 1000} seconds`);
  signal.addEventListener('abort', onStop, { once: true });
  deadline.addEventListener('abort', onDeadline, { once: true });
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_PASSWORD_BYTES) end('printed too much for a password');
  });
  child.once('error', (error) => end(`could not be started (${codeOf(error)})`));
  child.once('close', (code, killedBy) => {
    const password = Buffer.concat(chunks)
      .toString('utf8')
      .replace(/\r?\n$/, '');
    if (code !== 0) end(`ended with ${killedBy ?? `code ${code ?? 'unknown'}`}`);
    else if (password === '') end('printed nothing');
    else resolve(new Secret(password));
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onStop);
    deadline.removeEventListener('abort', onDeadline);
  }
}

/** What the approval showed: a bare name means a program on PATH, never a file of that name in the project. */
function programOf(program: string, { projectRoot, env = process.env }: PasswordCommandOptions): string | undefined {
  return basename(program) === program ? findProgram(program, env) : resolve(projectRoot, program);
}

function failure({ id }: Asking, reason: string): AppError {
  return new AppError('E_NO_CONNECTION', `The password command of ${id} ${reason}.`, {
    hint: 'Run it yourself in the project folder to see why; DevDB runs it there without a shell and without input.',
    details: { connection: id },
  });
}
