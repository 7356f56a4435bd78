import { AppError } from './errors.ts';

/** Why the editor cannot simply undo a change that it can undo in most files. */
export const FINAL_REASONS = ['unsaved', 'runs-code'] as const;
export type FinalReason = (typeof FINAL_REASONS)[number];

/** The input does not show that the change of this file is final. */
export interface FileChange {
  readonly file: string;
  readonly because: readonly FinalReason[];
}

/** The input only names what runs: its title in the editor, and everything that would run. */
export interface NamedRun {
  readonly title: string;
  readonly statement: string;
}

/** A change to which the user has to agree for a reason that only the editor knows. */
export type FinalChange = FileChange | NamedRun;

const SENTENCES = {
  unsaved: 'has unsaved changes of the user, which would be replaced',
  'runs-code': 'can make programs run',
} as const satisfies Record<FinalReason, string>;

/** What a tool in the editor throws instead of such a change; the gate asks the user and runs it again. */
export function finalChange(change: FinalChange): AppError {
  return new AppError('E_CONFIRMATION_REQUIRED', sentenceOf(change), {
    hint: 'Ask the user to agree, then call again.',
    details: { final: change, applied: false },
  });
}

function sentenceOf(change: FinalChange): string {
  if ('title' in change) return `${change.title} runs after the user has agreed to what it runs now.`;
  return `${change.file} ${change.because.map((reason) => SENTENCES[reason]).join(' and ')}.`;
}

/** Whether the user agreed to this very change: what a file or a name stands for may be another thing by now. */
export function isAgreed(change: FinalChange, agreed: FinalChange | undefined): boolean {
  return agreed !== undefined && keyOf(change) === keyOf(agreed);
}

/** The same text for the same change. */
export function keyOf(change: FinalChange): string {
  return JSON.stringify(
    'title' in change ? [change.title, change.statement] : [change.file, [...change.because].sort()],
  );
}
