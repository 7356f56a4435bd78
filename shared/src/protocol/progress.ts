import { once } from '../once.ts';
import type { Progress } from './lines.ts';
import type { ValueOf } from './message-schema.ts';
import { amount, fields, text } from './shapes.ts';

/** Progress of a call that runs over the pipe, in either direction. */
export const progressOfCallSchema = once(() =>
  fields({ call: text, progress: amount }, { total: amount, message: text }),
);

/** The progress without the call's id, as callers get it. */
export function progressOf({ progress, total, message }: ValueOf<ReturnType<typeof progressOfCallSchema>>): Progress {
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}
