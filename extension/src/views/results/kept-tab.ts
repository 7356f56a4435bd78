import { ENGINE_KINDS } from '@devdb/shared/engines';
import { once } from '@devdb/shared/once';
import * as z from 'zod';

/** What a tab with results is made from: in a file, nowhere else, or made for a table. */
export const PANEL_SOURCES = ['file', 'statement', 'table'] as const;
/** Of all statements of a tab; one with more is closed with its window. */
const MOST_KEPT_CHARS = 256 * 1024;

/** A table whose rows a tab shows. */
export const openedTable = once(() =>
  z.object({
    root: z.string(),
    connection: z.string(),
    table: z.string(),
    /** As a statement writes them. */
    columns: z.array(z.string()),
    kind: z.enum(ENGINE_KINDS),
  }),
);
export type OpenedTable = z.infer<ReturnType<typeof openedTable>>;

/** What the editor keeps of a tab while its window is reloaded: no rows. */
export const keptTab = once(() =>
  z.object({
    key: z.string(),
    title: z.string(),
    source: z.enum(PANEL_SOURCES),
    statements: z
      .array(
        z.object({
          root: z.string(),
          connection: z.string().optional(),
          query: z.string().min(1),
          /** The database's name, once it has answered. */
          database: z.string().optional(),
        }),
      )
      .min(1),
    table: openedTable().optional(),
  }),
);
export type KeptTab = z.infer<ReturnType<typeof keptTab>>;

/** The same, where it is small enough to be kept. */
export function keepable(tab: KeptTab): KeptTab | undefined {
  const chars = tab.statements.reduce((sum, { query }) => sum + query.length, 0);
  return chars > 0 && chars <= MOST_KEPT_CHARS ? tab : undefined;
}
