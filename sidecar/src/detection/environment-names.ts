const DEVELOPMENT: ReadonlySet<string> = new Set(['development', 'dev', 'local']);
const TEST: ReadonlySet<string> = new Set(['test', 'testing', 'ci', 'e2e']);
/** Names of settings files that belong to no particular environment. */
const NEUTRAL: ReadonlySet<string> = new Set(['', 'default', 'base', 'common', 'settings', 'shared', 'main']);

/** Whether a name means a developer's machine. */
export function isDevelopment(name: string): boolean {
  return DEVELOPMENT.has(name.toLowerCase());
}

/** Whether a name, or each dotted part of it, means test runs. */
export function isTest(environment: string): boolean {
  return environment
    .toLowerCase()
    .split('.')
    .every((part) => TEST.has(part));
}

/** The environment's name as findings carry it: '' for development and for names of no environment. */
export function environmentOf(name: string): string {
  return isDevelopment(name) || NEUTRAL.has(name.toLowerCase()) ? '' : name;
}
