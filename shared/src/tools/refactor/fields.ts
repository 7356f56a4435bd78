import * as z from 'zod';

/** Fields that several refactoring tools share. */
export const settingKey = z
  .string()
  .min(1)
  .max(200)
  // Not a pattern, which would be listed: the example says the same to a model.
  .refine((key) => /^[^\s.]+(\.[^\s.]+)*$/.test(key), 'a dotted name without blanks')
  .describe('E.g. editor.tabSize');

export const settingScope = z.enum(['workspace', 'user']).default('workspace').describe('user: in all projects');

/** Identifies a file of the project. */
export const fileUri = z.string().min(1).max(4_096).describe('Project file or folder: path or URI');
