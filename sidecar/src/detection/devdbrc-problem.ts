import type { Skipped } from './detector.ts';

/** The user's own file, and the name its databases are found by. */
export const DEVDBRC = { file: '.devdbrc', name: 'devdbrc' } as const;

/** Something that the user has to correct. */
export function wrong(line: number, reason: string): Skipped {
  return { file: DEVDBRC.file, line, reason, mistake: true };
}

/** A field's name is quoted only when it looks like a name: by mistake a password may be there. */
export function safeName(key: string): string {
  return /^[A-Za-z][\w-]{0,30}$/.test(key) ? key : 'an unprintable name';
}
