import { once } from '@devdb/shared/once';
import * as z from 'zod';

/** A tab with a longer statement is closed with its window. */
const MOST_KEPT_CHARS = 256 * 1024;

/** What the editor keeps of a tab with a plan while its window is reloaded: the statement, not the plan. */
export const keptPlan = once(() =>
  z.object({
    key: z.string(),
    title: z.string(),
    root: z.string(),
    connection: z.string().optional(),
    query: z.string().max(MOST_KEPT_CHARS),
  }),
);
export type KeptPlan = z.infer<ReturnType<typeof keptPlan>>;

/** The same, where it is small enough to be kept. */
export function keepable(plan: KeptPlan): KeptPlan | undefined {
  return plan.query.length <= MOST_KEPT_CHARS ? plan : undefined;
}
