import { type Expr, nameOf } from './expression.ts';

/** Objects whose members are environment variables. */
export const ENVIRONMENT_OBJECTS: ReadonlySet<string> = new Set([
  'process.env',
  'import.meta.env',
  'Bun.env',
  'os.environ',
  'environ',
  'ENV',
  '$_ENV',
  '$_SERVER',
]);

/** Functions that give an environment variable, and where else than in `default` their second argument stands for it. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'env',
  'env.get',
  'env.str',
  'env.string',
  'env.int',
  'env.number',
  'env.bool',
  'env.url',
  'env.path',
  'Env.get',
  'Deno.env.get',
  'os.environ.get',
  'os.getenv',
  'environ.get',
  'getenv',
  'getenv_docker',
  'config',
  'decouple.config',
  'ENV.fetch',
  'Env.string',
  'Env::get',
]);

/** The variable that a call asks the environment for, and what stands in for it. */
export function callEnvironment(
  call: Extract<Expr, { kind: 'call' }>,
): { readonly name: Expr; readonly otherwise: Expr | undefined } | undefined {
  const [name, second] = call.args;
  if (name === undefined || !FUNCTIONS.has(nameOf(call.of) ?? '')) return undefined;
  // PHP's own getenv has a second argument of another meaning.
  const positional = second?.kind === 'value' && typeof second.value === 'boolean' ? undefined : second;
  return { name, otherwise: call.named.get('default') ?? positional };
}
