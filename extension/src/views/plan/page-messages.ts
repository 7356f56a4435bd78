import type { ShownPlan } from '@devdb/shared/plans';
import * as z from 'zod';
import type { KeptPlan } from './kept-plan.ts';

/** What the page shows: a statement, and its plan once there is one. */
export interface ShownExplain {
  readonly statement: string;
  /** `left`: the window was reloaded, and the plan is gone. */
  readonly state: 'running' | 'done' | 'failed' | 'cancelled' | 'left';
  /** The statement itself is run too, and measured. */
  readonly isMeasuring: boolean;
  /** The last plan, which stays while the next one is made. */
  readonly plan?: ShownPlan | undefined;
  /** What went wrong. */
  readonly problem: string;
}

/** Messages to the page. */
export interface ToPlanPage {
  readonly kind: 'explain';
  readonly shown: ShownExplain;
  /** What the editor is to keep of the tab; nothing where it is left out. */
  readonly kept?: KeptPlan | undefined;
}

const flag = z.int().min(0);

/** What the page says. A flag is meant by its place in the list. */
export const fromPlanPageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('cancel') }),
  z.strictObject({ kind: z.literal('explain'), measure: z.boolean() }),
  z.strictObject({ kind: z.literal('copy-index'), flag }),
  z.strictObject({ kind: z.literal('open-index'), flag }),
  z.strictObject({ kind: z.literal('copy-source') }),
]);
export type FromPlanPage = z.infer<typeof fromPlanPageSchema>;
