import type * as z from 'zod';
import { once } from '../once.ts';

/** One message of the pipe, declared once for both ends: name, parameters, answer. */
export interface Method<Params extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: Params;
  readonly result: Result;
}

/**
 * Declares a message that is answered. The schemas are made at the first message that is parsed: each end parses one
 * half of the messages, and while the editor starts few of those.
 */
export function method<Params extends z.ZodType, Result extends z.ZodType>(
  name: string,
  params: () => Params,
  result: () => Result,
): Method<Params, Result> {
  const madeParams = once(params);
  const madeResult = once(result);
  return {
    name,
    get params() {
      return madeParams();
    },
    get result() {
      return madeResult();
    },
  };
}

/** A message without an answer. */
export interface Notice<Params extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: Params;
}

/** Declares a message that is not answered; its schema, too, is made when it is needed. */
export function notice<Params extends z.ZodType>(name: string, params: () => Params): Notice<Params> {
  const made = once(params);
  return {
    name,
    get params() {
      return made();
    },
  };
}
