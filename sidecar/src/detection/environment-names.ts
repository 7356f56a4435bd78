const DEVELOPMENT: ReadonlySet<string> = new Set(['development', 'dev', 'local']);
const TEST: ReadonlySet<string> = new Set(['test', 'testing', 'ci', 'e2e']);
/** What a settings file is called that belongs to no environment of its own. */
const NEUTRAL: ReadonlySet<string> = new Set(['', 'default', 'base', 'common', 'settings', 'shared', 'main']);

/** Whether a name stands for the machine of a developer. */
export function isDevelopment(name: string): boolean {
  return DEVELOPMENT.has(name.toLowerCase());
}

/** Whether a name, or each part of one with dots, stands for test runs. */
export function isTest(environment: string): boolean {
  return environment
    .toLowerCase()
    .split('.')
    .every((part) => TEST.has(part));
}

/** The name in the form that findings carry: '' for development and for what names no environment. */
export function environmentOf(name: string): string {
  return isDevelopment(name) || NEUTRAL.has(name.toLowerCase()) ? '' : name;
}
