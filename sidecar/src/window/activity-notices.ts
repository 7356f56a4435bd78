import type { Activity } from '../dispatch/activity/activity.ts';
import type { Editor } from '../dispatch/editor.ts';
import { ACTIVITY_NOTICE_MS } from '../dispatch/limits.ts';

/** Tells the editor of changed calls while it watches: the first at once, then together, each in its latest state. */
export class ActivityNotices {
  readonly #activity: Activity;
  readonly #editor: Pick<Editor, 'activityChanged'>;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #toldAt = 0;

  constructor(activity: Activity, editor: Pick<Editor, 'activityChanged'>) {
    this.#activity = activity;
    this.#editor = editor;
  }

  /** Reports every change from here on. */
  start(): void {
    this.#activity.watch((id) => {
      this.#changed.add(id);
      const waitMs = Math.max(0, this.#toldAt + ACTIVITY_NOTICE_MS - performance.now());
      this.#timer ??= setTimeout(() => this.#tell(), waitMs).unref();
    });
  }

  stop(): void {
    this.#activity.watch(undefined);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }

  #tell(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    const calls = [...this.#changed].flatMap((id) => this.#activity.record(id) ?? []);
    this.#changed.clear();
    this.#editor.activityChanged(calls);
  }
}
