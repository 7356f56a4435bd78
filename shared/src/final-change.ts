import * as z from 'zod';
import { AppError } from './errors.ts';

/** Why the editor cannot simply undo a change that it can undo in most files. */
export const FINAL_REASONS = ['unsaved', 'runs-code'] as const;
export type FinalReason = (typeof FINAL_REASONS)[number];

const changeSchema = z.object({ file: z.string(), because: z.array(z.enum(FINAL_REASONS)).min(1) });

/** A change that only its file shows to be one that the user has to agree to. */
export type FinalChange = z.output<typeof changeSchema>;

const detailsSchema = z.object({ final: changeSchema });

const SENTENCES = {
  unsaved: 'has unsaved changes of the user, which would be replaced',
  'runs-code': 'can make programs run',
} as const satisfies Record<FinalReason, string>;

/** What a tool in the editor throws instead of such a change; the gate asks the user and runs it again. */
export function finalChange(file: string, because: readonly FinalReason[]): AppError {
  const why = because.map((reason) => SENTENCES[reason]).join(' and ');
  return new AppError('E_CONFIRMATION_REQUIRED', `${file} ${why}.`, {
    hint: 'Ask the user to save or to agree, then call again.',
    details: { final: { file, because: [...because] }, applied: false },
  });
}

/** The change that such an error is about. */
export function finalChangeOf(error: unknown): FinalChange | undefined {
  if (!(error instanceof AppError) || error.code !== 'E_CONFIRMATION_REQUIRED') return undefined;
  return detailsSchema.safeParse(error.details).data?.final;
}
