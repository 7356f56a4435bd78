import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DETECTION_MEMORY_MB, DETECTION_TIMEOUT_MS, MAX_DETECTED_DATABASES } from '@devdb/shared/limits';
import type { LogEvent } from '../../host/log.ts';
import type { DetectionPart, DetectionResult } from '../detect.ts';
import type { Detection, Skipped } from '../detector.ts';
import type { ProcessEnv } from '../project-view.ts';
import { traceOf } from '../trace.ts';
import { receive, send, type ThreadMessage, type ThreadTask } from './messages.ts';

export interface ThreadOptions {
  /** Folder of the bundle's own files. */
  readonly bundleDir: string;
  readonly projectRoot: string;
  readonly env: ProcessEnv;
  readonly insideContainer: boolean;
  readonly log: LogEvent;
  readonly timeoutMs?: number;
}

const ENTRY = 'detection-thread.js';

/**
 * Looks for databases in a thread of its own, for so long at most. What was found by then counts, with a sentence that
 * names where it stopped.
 */
export function detectInThread(options: ThreadOptions, given: Detection): Promise<DetectionResult> {
  return new ThreadRun(options, given).result;
}

class ThreadRun {
  readonly result: Promise<DetectionResult>;
  readonly #options: ThreadOptions;
  readonly #began = Date.now();
  readonly #parts: DetectionPart[] = [];
  readonly #settle: PromiseWithResolvers<DetectionResult>;
  #at: { readonly detector: string; readonly file: string | undefined } | undefined;

  constructor(options: ThreadOptions, given: Detection) {
    this.#options = options;
    this.#settle = Promise.withResolvers<DetectionResult>();
    this.result = this.#settle.promise;
    const { timeoutMs = DETECTION_TIMEOUT_MS } = options;
    const thread = startThread(options, given);
    const tooLong = setTimeout(() => this.#stop(thread, `took longer than ${timeoutMs / 1000} seconds`), timeoutMs);
    thread.on('message', (message: ThreadMessage) => this.#heard(message));
    // Out of memory, above all: the sidecar's own is not touched by that.
    thread.on('error', (error) => {
      this.#log('detection-thread-failed', { error });
      this.#stop(thread, 'needed more than it may have');
    });
    thread.on('exit', () => {
      clearTimeout(tooLong);
      this.#stop(thread, 'ended too early');
    });
  }

  #heard(message: ThreadMessage): void {
    if (message.kind === 'at') this.#at = message;
    else if (message.kind === 'log') this.#log(message.event, message.facts);
    else if (message.kind === 'part') this.#parts.push({ ...message.part, found: message.part.found.map(receive) });
    else this.#settle.resolve({ ...message.result, found: message.result.found.map(receive) });
  }

  #log(event: string, facts: Readonly<Record<string, unknown>>): void {
    this.#options.log(event, facts);
  }

  /** Nothing happens where there is a result already. */
  #stop(thread: Worker, why: string): void {
    this.#settle.resolve(this.#partial(why));
    // Nobody waits for that: it may sit in a call of the system.
    thread.terminate().catch((error: unknown) => this.#log('detection-thread-not-ended', { error }));
  }

  #partial(why: string): DetectionResult {
    const { projectRoot } = this.#options;
    const file = this.#at?.file ?? '.';
    const detector = this.#at === undefined ? '' : ` in the detector ${this.#at.detector}`;
    const reason = `the search for databases stopped here${detector}: it ${why}. What comes after was not looked at; make the file smaller, or name the database in .devdbrc`;
    const stopped: Skipped = { file, reason, mistake: true };
    const found = this.#parts.flatMap((part) => part.found).sort((a, b) => a.priority - b.priority);
    return {
      found: found.slice(0, MAX_DETECTED_DATABASES),
      skipped: [...this.#parts.flatMap((part) => part.skipped), stopped],
      pinned: this.#parts.find(({ pinned }) => pinned !== undefined)?.pinned,
      traces: [
        ...this.#parts.flatMap((part) => part.traces),
        // What is not noticed of a change here, another file tells: at least the project's folder is looked at.
        traceOf(join(projectRoot, file), 'content', this.#began),
        traceOf(projectRoot, 'identity', this.#began),
      ],
    };
  }
}

function startThread(options: ThreadOptions, { found, ...rest }: Detection): Worker {
  const { bundleDir, projectRoot, env, insideContainer } = options;
  const task: ThreadTask = {
    projectRoot,
    env: { ...env },
    insideContainer,
    given: { ...rest, found: found.map(send) },
  };
  return new Worker(join(bundleDir, ENTRY), {
    workerData: task,
    execArgv: [],
    // Nothing of a repository's text may reach them by way of a library.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: DETECTION_MEMORY_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
}
