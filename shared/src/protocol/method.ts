import type * as z from 'zod';

/** One message of the pipe, declared once for both ends: name, what is sent, what is answered. */
export interface Method<Params extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: Params;
  readonly result: Result;
}

/** Declares a message that is answered. */
export function method<Params extends z.ZodType, Result extends z.ZodType>(
  name: string,
  params: Params,
  result: Result,
): Method<Params, Result> {
  return { name, params, result };
}

/** A message nobody answers: a piece of news. */
export interface Notice<Params extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: Params;
}

/** Declares a message that is not answered. */
export function notice<Params extends z.ZodType>(name: string, params: Params): Notice<Params> {
  return { name, params };
}
