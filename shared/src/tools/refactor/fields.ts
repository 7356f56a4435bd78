import * as z from 'zod';

/** Fields that several refactoring tools share. */
export const settingKey = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s.]+(\.[^\s.]+)*$/, 'a dotted name without blanks')
  .describe('E.g. editor.tabSize');

export const settingScope = z
  .enum(['workspace', 'user'])
  .default('workspace')
  .describe('workspace: this project; user: all projects');

/** Identifies a file of the project. */
export const fileUri = z.string().min(1).max(4_096).describe('Project file or folder: path or URI');
