import * as z from 'zod';
import { AppError, type ErrorCode, isErrorCode, type WireError } from './errors.ts';
import { once } from './once.ts';
import { sentenceText } from './plain-text.ts';

/** An error as it comes from another process. Apart from the table of codes, which starts without the schema library. */
export const wireErrorSchema = once(() => {
  // Another version may have sent it.
  const sentence = z.string().transform(sentenceText);
  return z.object({
    code: z.custom<ErrorCode>(isErrorCode, 'an error code'),
    message: sentence,
    hint: sentence.optional(),
    retryable: z.boolean(),
    details: z.record(z.string(), z.unknown()).optional(),
  }) satisfies z.ZodType<WireError>;
});

/** Reads an error that came from another process. What does not parse is E_INTERNAL. */
export function fromWire(raw: unknown): AppError {
  const parsed = wireErrorSchema().safeParse(raw);
  if (!parsed.success)
    return new AppError('E_INTERNAL', 'The other process answered with an error that cannot be read.');
  return new AppError(parsed.data.code, parsed.data.message, { hint: parsed.data.hint, details: parsed.data.details });
}
