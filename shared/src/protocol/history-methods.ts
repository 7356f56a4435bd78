import * as z from 'zod';
import { once } from '../once.ts';
import { method } from './method.ts';

/** A statement that a person ran, and what came of it. */
export const ranStatementSchema = once(() =>
  z.object({
    id: z.string(),
    statement: z.string(),
    /** ISO 8601. */
    startedAt: z.string(),
    ms: z.number(),
    /** The database: its id, and its name as a person knows it. */
    connection: z.string().optional(),
    database: z.string().optional(),
    rows: z.int().optional(),
    changedRows: z.int().optional(),
    /** Why it failed. */
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    /** It had credentials, which were not kept. */
    lacksSecrets: z.boolean().optional(),
  }),
);
export type RanStatement = z.infer<ReturnType<typeof ranStatementSchema>>;

/** What a person ran in a project, newest first. */
export const queryHistory = method(
  'sidecar/queryHistory',
  () => z.strictObject({ root: z.string() }),
  () => z.object({ statements: z.array(ranStatementSchema()) }),
);

/** Deletes one of the statements, or all. */
export const forgetStatements = method(
  'sidecar/forgetStatements',
  () => z.strictObject({ root: z.string(), id: z.string().optional() }),
  () => z.object({}),
);
