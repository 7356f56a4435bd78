import * as z from 'zod';
import { MAX_SQL_BYTES } from '../limits.ts';
import { shownPlan } from '../plans.ts';
import { method } from './method.ts';

/** The plan of a statement that a person looks at, through the gate; `analyze` runs a read under guard and measures it. */
export const explainForPerson = method(
  'sidecar/explainForPerson',
  () =>
    z.strictObject({
      root: z.string(),
      connection: z.string().optional(),
      query: z.string().min(1).max(MAX_SQL_BYTES),
      analyze: z.boolean(),
    }),
  () => shownPlan,
);
