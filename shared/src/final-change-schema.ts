import * as z from 'zod';
import { AppError } from './errors.ts';
import { FINAL_REASONS, type FinalChange } from './final-change.ts';
import { once } from './once.ts';

export const finalChangeSchema = once(
  (): z.ZodType<FinalChange> =>
    z.union([
      z.strictObject({ file: z.string(), because: z.array(z.enum(FINAL_REASONS)).min(1) }),
      z.strictObject({ title: z.string(), statement: z.string() }),
    ]),
);

/** The change that such an error is about. */
export function finalChangeOf(error: unknown): FinalChange | undefined {
  if (!(error instanceof AppError) || error.code !== 'E_CONFIRMATION_REQUIRED') return undefined;
  return finalChangeSchema().safeParse(error.details?.['final']).data;
}
