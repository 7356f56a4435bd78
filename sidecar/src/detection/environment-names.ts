const DEVELOPMENT: ReadonlySet<string> = new Set(['development', 'dev', 'local']);
const TEST: ReadonlySet<string> = new Set(['test', 'testing', 'ci', 'e2e']);
/** Words for places where the application serves users, or soon will. */
const SERVING: ReadonlySet<string> = new Set(['prod', 'production', 'staging', 'stage', 'preprod', 'uat', 'live']);
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

/** The environment that a variable's name speaks of, e.g. TEST_DATABASE_URL; '' for none. */
export function environmentInName(variable: string): string {
  const words = variable.toLowerCase().split(/[_.-]+/);
  const test = words.find((word) => TEST.has(word));
  return test ?? words.find((word) => SERVING.has(word)) ?? '';
}

/** `.envrc` of direnv, `.flaskenv`, and `app.env` or the same with an environment's name. */
export const OTHER_ENV_FILE = /^(?:\.envrc|\.flaskenv|(app|dev|development|local|test|prod|production|staging)\.env)$/;
