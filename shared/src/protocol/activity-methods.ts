import * as z from 'zod';
import { once } from '../once.ts';
import { method, notice } from './method.ts';
import { plainField } from './plain-field.ts';

/** How a call came in. A person's own look at the database from the editor is not recorded. */
export const ACTIVITY_DOORS = ['mcp', 'rest', 'bridge', 'pipe'] as const;

/** What became of a call, or is becoming of it. */
const CALL_STATES = [
  'running',
  /** A person is being asked about it. */
  'asking',
  'read',
  /** It ran, and may have changed something. */
  'changed',
  /** By a person, a setting, or because nobody could be asked. */
  'refused',
  /** By a person, on the activity page. */
  'stopped',
  'failed',
] as const;
export type CallState = (typeof CALL_STATES)[number];

/** Where a person answered, and what. `none` means that the question ended without an answer. */
const decisionSchema = once(() =>
  z.object({
    by: z.enum(['editor', 'client', 'earlier']),
    answer: z.enum(['once', 'session', 'no', 'none']),
  }),
);
export type Decision = z.infer<ReturnType<typeof decisionSchema>>;

/** One call of an agent. */
export const callRecordSchema = once(() =>
  z.object({
    id: z.string(),
    /** The order of arrival. */
    number: z.int(),
    tool: plainField(),
    title: plainField(),
    client: plainField(),
    door: z.enum(ACTIVITY_DOORS),
    root: z.string(),
    /** ISO 8601. */
    startedAt: z.string(),
    /** The input in one line: the start of a statement, a path, a command. */
    subject: plainField(),
    /** The database it used. */
    connection: plainField().optional(),
    state: z.enum(CALL_STATES),
    /** What people answered about it, in order. */
    decisions: z.array(decisionSchema()),
    ms: z.number().optional(),
    rows: z.int().optional(),
    changedRows: z.int().optional(),
    truncated: z.boolean().optional(),
    code: z.string().optional(),
    /** From before the window was reloaded: its values were not kept. */
    isEarlier: z.boolean().optional(),
  }),
);
export type CallRecord = z.infer<ReturnType<typeof callRecordSchema>>;

/** What is told of a call only when somebody looks at it. */
export const callDetailsSchema = once(() =>
  z.object({
    /** The SQL, whole. */
    statement: z.string().optional(),
    /** The input of any other tool, as JSON with its longest texts cut. */
    input: z.string().optional(),
    /** The first rows of the result. */
    result: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.json())) }).optional(),
    error: z.object({ code: z.string(), message: plainField(), hint: plainField().optional() }).optional(),
  }),
);
export type CallDetails = z.infer<ReturnType<typeof callDetailsSchema>>;

/** The calls so far; from here on, or no longer, the editor is told of changes. */
export const watchActivity = method(
  'sidecar/watchActivity',
  () => z.strictObject({ on: z.boolean() }),
  () => z.object({ calls: z.array(callRecordSchema()) }),
);

/** Calls that began, changed or ended since the last notice; sent to an editor that watches. */
export const activityChanged = notice('editor/activityChanged', () =>
  z.strictObject({ calls: z.array(callRecordSchema()) }),
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
