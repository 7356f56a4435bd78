import * as z from 'zod';
import { once } from '../once.ts';
import type { Progress } from './lines.ts';

/** Progress of a call that runs over the pipe, in either direction. */
export const progressOfCallSchema = once(() =>
  z.object({
    call: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
);

/** The progress without the call's id, as callers get it. */
export function progressOf({ progress, total, message }: z.output<ReturnType<typeof progressOfCallSchema>>): Progress {
  return {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined ? {} : { message }),
  };
}
