import { basename } from 'node:path';
import { HEADERS } from '@devdb/shared/protocol';
import { FROM_MCP_JSON } from '@devdb/shared/protocol/http';
import * as z from 'zod';

const LAUNCHER_NAME = 'devdb-mcp.cjs';

const stdioSchema = z.object({ command: z.string(), args: z.array(z.string()) });
const plainStdioSchema = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string(),
  args: z.tuple([z.string()]).or(z.tuple([z.string(), z.literal(FROM_MCP_JSON)])),
  env: z.strictObject({ ELECTRON_RUN_AS_NODE: z.string() }).optional(),
});
const httpSchema = z.strictObject({
  type: z.literal('http'),
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
  headers: z.preprocess(
    namesInLowerCase,
    z.strictObject({
      authorization: z.string(),
      [HEADERS.projectRoot]: z.string(),
      [HEADERS.from]: z.string().optional(),
    }),
  ),
});

/** Whether a client's entry is exactly as DevDB writes it, without additions by the user. */
export function isOwnEntry(entry: unknown): boolean {
  const stdio = plainStdioSchema.safeParse(entry);
  if (stdio.success) return isLauncher(stdio.data.args[0]);
  return httpSchema.safeParse(entry).success;
}

/** Whether an entry leads to DevDB, however it is written. */
export function leadsToDevdb(entry: unknown): boolean {
  const stdio = stdioSchema.safeParse(entry);
  if (stdio.success) return stdio.data.args.some(isLauncher);
  return httpSchema.safeParse(entry).success;
}

/** Whether an entry starts this home's launcher. */
export function startsLauncher(entry: unknown, launcher: string): boolean {
  const stdio = stdioSchema.safeParse(entry);
  return stdio.success && stdio.data.args.includes(launcher);
}

function isLauncher(arg: string): boolean {
  return basename(arg.replaceAll('\\', '/')) === LAUNCHER_NAME;
}

/** Header names are case-insensitive. */
function namesInLowerCase(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
