import { once } from '../once.ts';
import type { MessageSchema } from './message-schema.ts';

type Later<Value> = Value | Promise<Value>;

/** One message of the pipe, declared once for both ends: name, parameters, answer. */
export interface Method<Params = unknown, Result = unknown> {
  readonly name: string;
  readonly params: Later<MessageSchema<Params>>;
  readonly result: Later<MessageSchema<Result>>;
}

/**
 * Declares a message that is answered. The schemas are made, or loaded, at the first message that is parsed: each end
 * parses one half of the messages, and while the editor starts few of those.
 */
export function method<Params, Result>(
  name: string,
  params: () => Later<MessageSchema<Params>>,
  result: () => Later<MessageSchema<Result>>,
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

/** A message without an answer. Its schema cannot be loaded later, so that notices are heard in order. */
export interface Notice<Params = unknown> {
  readonly name: string;
  readonly params: MessageSchema<Params>;
}

/** Declares a message that is not answered; its schema, too, is made when it is needed. */
export function notice<Params>(name: string, params: () => MessageSchema<Params>): Notice<Params> {
  const made = once(params);
  return {
    name,
    get params() {
      return made();
    },
  };
}

/** What a message's parameters or its answer are. */
export type ParamsOf<Message> = Message extends Notice<infer Params> | Method<infer Params> ? Params : never;
export type ResultOf<Message> = Message extends Method<infer _Params, infer Result> ? Result : never;
