import * as z from 'zod';

/** What a change tells of the files it touched. */
export const changedFiles = z.array(z.string()).optional().describe('Files that were changed and saved');
export const unsavedFiles = z
  .array(z.string())
  .optional()
  .describe('Changed files that are not saved: they had unsaved text of the user, or saving failed');
