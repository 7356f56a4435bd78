import * as z from 'zod';
import { once } from '../once.ts';
import { callRecord } from './call-record.ts';
import { method } from './method.ts';
import { plainField } from './plain-field.ts';
import { fields, listOf } from './shapes.ts';

/** Details of a call, sent on request. */
export const callDetailsSchema = once(() =>
  z.object({
    /** The SQL, whole. */
    statement: z.string().optional(),
    /** The id of the database it used. */
    databaseId: z.string().optional(),
    /** The input of any other tool, as JSON with its longest texts cut. */
    input: z.string().optional(),
    /** The first rows of the result. */
    result: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.json())) }).optional(),
    error: z.object({ code: z.string(), message: plainField(), hint: plainField().optional() }).optional(),
  }),
);
export type CallDetails = z.infer<ReturnType<typeof callDetailsSchema>>;

/** Returns the calls so far, and starts or stops the notices of changes. */
export const watchActivity = method(
  'sidecar/watchActivity',
  () => z.strictObject({ on: z.boolean() }),
  () => fields({ calls: listOf(callRecord()) }),
);

/** What one call asked for and got; E_NOT_FOUND when it is no longer kept. */
export const callDetails = method('sidecar/callDetails', () => z.strictObject({ id: z.string() }), callDetailsSchema);

/** Ends a running call: its agent gets E_CANCELLED. False when it had already ended. */
export const stopCall = method(
  'sidecar/stopCall',
  () => z.strictObject({ id: z.string() }),
  () => z.object({ stopped: z.boolean() }),
);

/** All kept calls as JSON lines, oldest first. */
export const exportActivity = method(
  'sidecar/exportActivity',
  /** Without values: statements without their literals, and neither inputs, rows nor messages. */
  () => z.strictObject({ withoutValues: z.boolean() }),
  () => z.object({ text: z.string(), calls: z.int() }),
);
