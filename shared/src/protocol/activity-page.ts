import * as z from 'zod';
import { once } from '../once.ts';
import type { CallDetails } from './activity-methods.ts';
import type { CallRecord } from './call-record.ts';

/** What the activity page says to the extension. */
export const fromActivityPageSchema = once(() =>
  z.discriminatedUnion('kind', [
    /** It has loaded, and wants all calls. */
    z.strictObject({ kind: z.literal('ready') }),
    z.strictObject({ kind: z.literal('stop'), id: z.string() }),
    z.strictObject({ kind: z.literal('details'), id: z.string() }),
    /** Copies the statement or the input. */
    z.strictObject({ kind: z.literal('copy'), id: z.string() }),
    /** Opens the statement in an editor, with its database chosen where it is known. */
    z.strictObject({ kind: z.literal('open'), id: z.string() }),
    /** Shows how the database would run the statement. */
    z.strictObject({ kind: z.literal('plan'), id: z.string() }),
    /** Asks about every call of a client from now on, or no longer. */
    z.strictObject({ kind: z.literal('alwaysAsk'), client: z.string(), on: z.boolean() }),
    /** Shows how an agent is connected. */
    z.strictObject({ kind: z.literal('setUp') }),
  ]),
);
export type FromActivityPage = z.infer<ReturnType<typeof fromActivityPageSchema>>;

/** What the extension says to the page. */
export type ToActivityPage =
  | { readonly kind: 'calls'; readonly calls: readonly CallRecord[]; readonly isWhole: boolean }
  /** The clients about whose every call the user is asked. */
  | { readonly kind: 'alwaysAsk'; readonly clients: readonly string[] }
  | { readonly kind: 'details'; readonly id: string; readonly details: CallDetails }
  | { readonly kind: 'problem'; readonly id: string; readonly message: string };
