import * as z from 'zod';

/** Messages of the debug adapter protocol, as far as this product reads them. Adapters leave out what they like. */

const source = z.object({ name: z.string().optional(), path: z.string().optional() });

const frame = z.object({
  id: z.int(),
  name: z.string(),
  source: source.optional(),
  line: z.int(),
  column: z.int(),
  presentationHint: z.string().optional(),
});
export type DapFrame = z.infer<typeof frame>;

export const stackTraceBody = z.object({ stackFrames: z.array(frame), totalFrames: z.int().optional() });
export const stackTraceArguments = z.object({ threadId: z.int(), startFrame: z.int().default(0) });
export const threadsBody = z.object({ threads: z.array(z.object({ id: z.int(), name: z.string() })) });

const scope = z.object({
  name: z.string(),
  presentationHint: z.string().optional(),
  variablesReference: z.int(),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
  expensive: z.boolean().optional(),
});
export type DapScope = z.infer<typeof scope>;
export const scopesBody = z.object({ scopes: z.array(scope) });

const hint = z.object({ visibility: z.string().optional(), lazy: z.boolean().optional() });

const variable = z.object({
  name: z.string(),
  value: z.string(),
  type: z.string().optional(),
  variablesReference: z.int().default(0),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
  evaluateName: z.string().optional(),
  presentationHint: hint.optional(),
});
export type DapVariable = z.infer<typeof variable>;
export const variablesBody = z.object({ variables: z.array(variable) });

export const evaluateBody = z.object({
  result: z.string(),
  type: z.string().optional(),
  variablesReference: z.int().default(0),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
});

export const setVariableBody = z.object({
  value: z.string(),
  type: z.string().optional(),
  variablesReference: z.int().optional(),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
});

const boundBreakpoint = z.object({
  id: z.int().optional(),
  verified: z.boolean(),
  line: z.int().optional(),
  message: z.string().optional(),
});
export type BoundBreakpoint = z.infer<typeof boundBreakpoint>;

export const exceptionFilters = z.array(
  z.object({
    filter: z.string(),
    label: z.string().optional(),
    default: z.boolean().optional(),
    supportsCondition: z.boolean().optional(),
  }),
);

export const exceptionInfoBody = z.object({
  exceptionId: z.string(),
  description: z.string().nullish(),
  details: z.object({ stackTrace: z.string().nullish() }).nullish(),
});

const thread = z.int().optional();

/** The events that a record is made from. */
export const stoppedEvent = z.object({
  reason: z.string().default('unknown'),
  description: z.string().optional(),
  text: z.string().nullish(),
  threadId: thread,
  allThreadsStopped: z.boolean().optional(),
});
export const continuedEvent = z.object({ threadId: thread, allThreadsContinued: z.boolean().optional() });
export const outputEvent = z.object({
  category: z.string().nullish(),
  output: z.string(),
  source: source.nullish(),
  line: z.int().nullish(),
});
export const threadEvent = z.object({ reason: z.string(), threadId: z.int() });
export const exitedEvent = z.object({ exitCode: z.int() });
export const breakpointEvent = z.object({ reason: z.string(), breakpoint: boundBreakpoint });

export const setBreakpointsArguments = z.object({
  source: z.object({ path: z.string().optional() }),
  breakpoints: z.array(z.object({ line: z.int(), column: z.int().optional() })).default([]),
});
export const setBreakpointsBody = z.object({ breakpoints: z.array(boundBreakpoint) });

/** The frame of every message; what is in it is read by kind. */
export const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), event: z.string(), body: z.unknown().optional() }),
  z.object({ type: z.literal('request'), seq: z.int(), command: z.string(), arguments: z.unknown().optional() }),
  z.object({
    type: z.literal('response'),
    request_seq: z.int(),
    command: z.string(),
    success: z.boolean(),
    message: z.string().nullish(),
    body: z.unknown().optional(),
  }),
]);

const errorBody = z.object({
  error: z.object({ format: z.string(), variables: z.record(z.string(), z.string()).nullish() }),
});

/** What an adapter says about a request that failed, in its own words. */
export function failureText(body: unknown, message: string | null | undefined): string {
  const { data } = errorBody.safeParse(body);
  if (data === undefined) return message ?? 'no reason given';
  const { format, variables } = data.error;
  return format.replace(/\{(\w+)\}/g, (all, name: string) => variables?.[name] ?? all);
}
