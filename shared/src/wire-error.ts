import * as z from 'zod';
import { AppError, type ErrorCode, isErrorCode, type WireError } from './errors.ts';
import { once } from './once.ts';
import { sentenceText } from './plain-text.ts';

/** An error from another process. Apart from the table of codes, which loads without the schema library. */
export const wireErrorSchema = once(() => {
  // Another version may have sent it.
  const sentence = z.string().transform(sentenceText);
  const details = z.looseObject({
    engineCode: z.string().optional().catch(undefined),
    errno: z.number().optional().catch(undefined),
    sqlState: z.string().optional().catch(undefined),
    engineMessage: z.string().optional().catch(undefined),
    position: z.number().optional().catch(undefined),
    near: z.array(z.string()).optional().catch(undefined),
  });
  return z.object({
    code: z.custom<ErrorCode>(isErrorCode, 'an error code'),
    message: sentence,
    hint: sentence.optional(),
    retryable: z.boolean(),
    details: details.optional(),
  }) satisfies z.ZodType<WireError>;
});

/** Reads an error that came from another process. What does not parse is E_INTERNAL. */
export function fromWire(raw: unknown): AppError {
  const parsed = wireErrorSchema().safeParse(raw);
  if (!parsed.success)
    return new AppError('E_INTERNAL', 'The other process answered with an error that cannot be read.');
  return new AppError(parsed.data.code, parsed.data.message, { hint: parsed.data.hint, details: parsed.data.details });
}
