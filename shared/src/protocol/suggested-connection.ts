import * as z from 'zod';
import { SERVER_TYPES } from '../engines.ts';
import { once } from '../once.ts';

/** A connection for `.devdbrc`, built from what was half understood; its user completes it. */
export const suggestedConnectionSchema = once(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('sqlite'), path: z.string() }),
    z.strictObject({
      type: z.enum(SERVER_TYPES),
      host: z.string(),
      port: z.int().optional(),
      username: z.string().optional(),
      database: z.string(),
    }),
  ]),
);
export type SuggestedConnection = z.infer<ReturnType<typeof suggestedConnectionSchema>>;
