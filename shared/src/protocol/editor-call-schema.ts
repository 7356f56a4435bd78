import * as z from 'zod';
import { finalChangeSchema } from '../final-change-schema.ts';
import { once } from '../once.ts';

/** A call of a tool that needs the editor's API. */
export const editorCallSchema = once(() =>
  z.strictObject({
    call: z.string().min(1),
    root: z.string(),
    tool: z.string(),
    input: z.unknown(),
    client: z.strictObject({ id: z.string(), name: z.string() }),
    /** The call needs no question. Otherwise the editor refuses with E_CONFIRMATION_REQUIRED what no earlier yes covers. */
    approved: z.boolean(),
    /** What the user has agreed to after the editor refused it. */
    agreed: finalChangeSchema().optional(),
  }),
);
