import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import { once } from '@devdb/shared/once';
import * as z from 'zod';

/** Which diagram a tab shows: of a whole database, a schema, or a table. The editor keeps it over a reload. */
export const keptDiagram = once(() =>
  z.object({
    root: z.string(),
    /** The database by its id, and as its user knows it. */
    connection: z.string(),
    database: z.string(),
    schema: z.object({ name: z.string(), tables: z.array(z.string()).max(MOST_DIAGRAM_TABLES) }).optional(),
    table: z.string().optional(),
  }),
);
export type KeptDiagram = z.infer<ReturnType<typeof keptDiagram>>;
