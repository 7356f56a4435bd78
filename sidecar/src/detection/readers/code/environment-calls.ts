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

/** Functions that return an environment variable; the second argument, or `default`, is its fallback. */
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
  'os.Getenv',
  'config',
  'decouple.config',
  'ENV.fetch',
  'Env.string',
  'Env::get',
  'App.env',
  'System.get_env',
  'System.fetch_env',
]);

/** Methods of Nest's config service, whatever the service is called. */
const SERVICE =
  /^(?:this\.)?(?:\w*[cC]onfig(?:Service)?|env(?:Service)?)\.(?:get|getOrThrow|getString|getNumber)$|^this\.(?:getString|getNumber|getOrThrow)$/;

/** A program's own function for it: its name speaks of the environment, and its first argument is a variable's name. */
const OWN = /^(?:\w{1,30}_)?env(?:_\w{1,30})?$|[a-z]Env(?:Var|Variable)?$|^(?:get|read|must|lookup)Env\w{0,30}$/;
const SECTION = /^[a-z]+$/;
const OPTION = /^(?!localhost$)[a-z]+(?:_[a-z]+)*$/;
const VARIABLE = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;

/** `config.get('database', 'name')` asks a ConfigParser for an option of a section: neither is a variable or a value. */
function isSectionOf(name: Expr, second: Expr | undefined): boolean {
  const [section, option] = [name, second].map((expr) => (expr?.kind === 'value' ? expr.value : undefined));
  return typeof section === 'string' && typeof option === 'string' && SECTION.test(section) && OPTION.test(option);
}

/** The environment variable a call asks for, and its fallback. */
export function callEnvironment(
  call: Extract<Expr, { kind: 'call' }>,
): { readonly name: Expr; readonly otherwise: Expr | undefined } | undefined {
  const [name, second] = call.args;
  if (name === undefined) return undefined;
  const called = nameOf(call.of) ?? '';
  // Options of the call, such as { infer: true }, are no fallback.
  if (SERVICE.test(called) && isSectionOf(name, second)) return undefined;
  if (SERVICE.test(called)) return { name, otherwise: second?.kind === 'object' ? undefined : second };
  const isOwn =
    name.kind === 'value' && VARIABLE.test(String(name.value)) && OWN.test(called.slice(called.lastIndexOf('.') + 1));
  if (!FUNCTIONS.has(called) && !isOwn) return undefined;
  // The second argument of PHP's own getenv means something else.
  const positional =
    called === 'getenv' && second?.kind === 'value' && typeof second.value === 'boolean' ? undefined : second;
  return { name, otherwise: call.named.get('default') ?? positional };
}
