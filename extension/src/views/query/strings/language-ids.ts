/** The languages whose strings are read, as the editor calls them. */
export const LANGUAGE_IDS = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
  'python',
  'php',
  'ruby',
  'go',
  'csharp',
  'java',
] as const;
export type LanguageId = (typeof LANGUAGE_IDS)[number];
