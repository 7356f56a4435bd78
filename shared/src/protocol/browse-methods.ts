import * as z from 'zod';
import { method } from './method.ts';

/** The tools with which a person looks through the databases. All of them only read. */
export const BROWSING_TOOLS = [
  'list-connections',
  'get-tables',
  'get-overview',
  'get-schema',
  'diagram-for-person',
] as const;
export type BrowsingTool = (typeof BROWSING_TOOLS)[number];

/**
 * Runs one of them for the person at the editor, through the gate like any call. The answer is the tool's data as JSON:
 * its definition says what it is.
 */
export const browse = method(
  'sidecar/browse',
  () => z.strictObject({ root: z.string(), tool: z.enum(BROWSING_TOOLS), input: z.record(z.string(), z.json()) }),
  () => z.object({ data: z.json() }),
);
