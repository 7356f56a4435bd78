import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { DETECTION_TIMEOUT_MS } from '@devdb/shared/limits';
import type { LogEvent } from '../../host/log.ts';
import type { ContainerDaemon } from '../container-daemon.ts';
import type { DetectionPart, DetectionResult } from '../detect.ts';
import type { Detection, Skipped } from '../detector.ts';
import { DETECTION_MEMORY_MB, MAX_DETECTED_DATABASES } from '../limits.ts';
import type { ProcessEnv } from '../project-view.ts';
import { withoutFallbacks } from '../source-environment.ts';
import { traceOf } from '../trace.ts';
import { type ChildMessage, type ChildTask, receive, send } from './messages.ts';

export interface ChildOptions {
  /** The folder of the bundle's files. */
  readonly bundleDir: string;
  readonly projectRoot: string;
  readonly env: ProcessEnv;
  readonly insideContainer: boolean;
  readonly containers?: ContainerDaemon | undefined;
  readonly log: LogEvent;
  readonly timeoutMs?: number;
}

const ENTRY = 'detection-child.js';

/**
 * Runs detection in its own process with a time limit. Results up to then count, and a message names where it stopped.
 */
export function detectInChild(options: ChildOptions, given: Detection): Promise<DetectionResult> {
  return new ChildRun(options, given).result;
}

class ChildRun {
  readonly result: Promise<DetectionResult>;
  readonly #options: ChildOptions;
  readonly #began = Date.now();
  readonly #parts: DetectionPart[] = [];
  readonly #settle: PromiseWithResolvers<DetectionResult>;
  #at: { readonly detector: string; readonly file: string | undefined } | undefined;

  constructor(options: ChildOptions, given: Detection) {
    this.#options = options;
    this.#settle = Promise.withResolvers<DetectionResult>();
    this.result = this.#settle.promise;
    const { timeoutMs = DETECTION_TIMEOUT_MS } = options;
    const child = start(options, given);
    const tooLong = setTimeout(() => this.#stop(child, `took longer than ${timeoutMs / 1000} seconds`), timeoutMs);
    child.on('message', (message: ChildMessage) => this.#heard(message));
    child.on('error', (error) => {
      this.#log('detection-child-failed', { error });
      this.#stop(child, 'could not be inspected');
    });
    // Comes after its last message. Above all for running out of memory, which leaves the sidecar's own untouched.
    child.on('close', (code, signal) => {
      clearTimeout(tooLong);
      this.#stop(child, `ended the search (${signal ?? `code ${code}`}): it may need more memory than it is allowed`);
    });
  }

  #heard(message: ChildMessage): void {
    if (message.kind === 'at') this.#at = message;
    else if (message.kind === 'log') this.#log(message.event, message.facts);
    else if (message.kind === 'part') this.#parts.push({ ...message.part, found: message.part.found.map(receive) });
    else this.#settle.resolve({ ...message.result, found: message.result.found.map(receive) });
  }

  #log(event: string, facts: Readonly<Record<string, unknown>>): void {
    this.#options.log(event, facts);
  }

  /** Does nothing once there is a result. */
  #stop(child: ChildProcess, why: string): void {
    this.#settle.resolve(this.#partial(why));
    child.kill('SIGKILL');
  }

  #partial(why: string): DetectionResult {
    const { projectRoot } = this.#options;
    const file = this.#at?.file ?? '.';
    const detector = this.#at === undefined ? '' : ` in the detector ${this.#at.detector}`;
    const reason = `the search for databases stopped here${detector}: it ${why}. The rest was not searched; make the file smaller, or name the database in .devdbrc`;
    const stopped: Skipped = { file, reason, mistake: true, unread: 'settings' };
    const found = this.#parts.flatMap((part) => part.found).sort((a, b) => a.priority - b.priority);
    return {
      found: withoutFallbacks(found.slice(0, MAX_DETECTED_DATABASES), [stopped]),
      skipped: [...this.#parts.flatMap((part) => part.skipped), stopped],
      pinned: this.#parts.find(({ pinned }) => pinned !== undefined)?.pinned,
      traces: [
        ...this.#parts.flatMap((part) => part.traces),
        // A change that these traces miss still shows in another: at least the project's folder is watched.
        traceOf(join(projectRoot, file), 'content', this.#began),
        traceOf(projectRoot, 'identity', this.#began),
      ],
    };
  }
}

function start(options: ChildOptions, { found, ...rest }: Detection): ChildProcess {
  const { bundleDir, projectRoot, env, insideContainer, containers } = options;
  // The child inherits the sidecar's environment: on the editor's binary ELECTRON_RUN_AS_NODE must stay.
  const child = fork(join(bundleDir, ENTRY), {
    cwd: bundleDir,
    execArgv: [`--max-old-space-size=${DETECTION_MEMORY_MB}`],
    serialization: 'advanced',
    // A library's output could contain a repository's text, so it goes nowhere.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const settings = { projectRoot, env: { ...env }, insideContainer, containers };
  const task: ChildTask = { ...settings, given: { ...rest, found: found.map(send) } };
  child.send(task, (error) => {
    // A child that could not be started reports that by its own event.
    if (error) child.kill('SIGKILL');
  });
  return child;
}
