import * as z from 'zod';
import { method } from './method.ts';

/** The MCP server of the window's first project, for the editor's own agent. The headers carry the token. */
export const agentServer = method(
  'sidecar/agentServer',
  () => z.strictObject({}),
  () => z.object({ url: z.string(), version: z.string(), headers: z.record(z.string(), z.string()) }),
);
