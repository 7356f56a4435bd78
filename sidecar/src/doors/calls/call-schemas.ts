import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import * as z from 'zod';

const greetingSchema = z.object({
  token: z.string(),
  client: z.string().min(1),
  timeoutMs: z.int().min(1).max(MAX_QUERY_TIMEOUT_MS).optional(),
});

/** The client of a link. */
export type Greeting = z.infer<typeof greetingSchema>;

const callSchema = z.object({
  tool: z.string(),
  client: z.string().optional(),
  canAsk: z.boolean().optional(),
  textAlone: z.boolean().optional(),
  input: z.unknown(),
});

export type Call = z.infer<typeof callSchema>;

const answerSchema = z.object({ ask: z.string(), reply: z.unknown() });

/** A link's first message; undefined when it is not one. */
export function readGreeting(payload: Buffer): Greeting | undefined {
  return greetingSchema.safeParse(parsed(payload)).data;
}

/** A call's message; undefined when it is not one. */
export function readCall(payload: Buffer): Call | undefined {
  return callSchema.safeParse(parsed(payload)).data;
}

/** The answer to a question; undefined when it is not one. */
export function readAnswer(payload: Buffer): z.infer<typeof answerSchema> | undefined {
  return answerSchema.safeParse(parsed(payload)).data;
}

function parsed(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    // Not JSON: the schemas refuse undefined.
    return undefined;
  }
}
