import * as z from 'zod';
import { method, type ResultOf } from './method.ts';
import { suggestedConnectionSchema } from './suggested-connection.ts';

/** The report of `devdb doctor` for one of the window's projects; the first one when left out. */
export const doctorText = method(
  'sidecar/doctorText',
  () => z.strictObject({ root: z.string().optional() }),
  () =>
    z.object({
      text: z.string(),
      /** Where there is no default database: what a person can add. */
      suggestion: z
        .object({ file: z.string(), line: z.int().optional(), connection: suggestedConnectionSchema() })
        .optional(),
    }),
);
export type DoctorText = ResultOf<typeof doctorText>;
