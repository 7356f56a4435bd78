import * as z from 'zod';

/** Fields that several refactoring tools share, described once. */
export const settingKey = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s.]+(\.[^\s.]+)*$/, 'a dotted name without blanks')
  .describe('Full name of the setting, e.g. editor.tabSize');

export const settingScope = z
  .enum(['workspace', 'user'])
  .default('workspace')
  .describe('workspace: as it holds for this project. user: what the user set for all projects');

/** What names a file of the project. */
export const fileUri = z
  .string()
  .min(1)
  .max(4_096)
  .describe('File or folder in the project: a file: URI, an absolute path, or a path from the project root');
