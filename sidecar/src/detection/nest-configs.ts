import type { AppFolder } from './app-folder.ts';
import { CodeFile } from './code-file.ts';
import type { Environment } from './environment.ts';
import { registeredFunctions } from './readers/code/function-body.ts';
import { exported, readProgram } from './readers/code/program.ts';

/** The value behind a dotted name of the config service, or the variables that are missing for it. */
export type NamedValue = (
  name: string,
) => { readonly text: string } | { readonly missing: readonly string[] } | undefined;

/** What Nest's config service knows by dotted names: the objects that `registerAs('database', () => ({...}))` gives it. */
export async function nestConfigs(
  app: AppFolder,
  files: readonly string[],
  environment: Environment,
): Promise<NamedValue> {
  const configs = new Map<string, CodeFile>();
  for (const name of files) {
    const read = await app.read(name);
    if (read.state !== 'text' || !read.text.includes('registerAs')) continue;
    for (const { name: config, program } of registeredFunctions(readProgram(read.text, 'javascript'))) {
      configs.set(config, new CodeFile(app, app.path(name), program, environment));
    }
  }
  return (name) => {
    const [config = '', ...path] = name.split('.');
    const code = configs.get(config);
    return code === undefined || path.length === 0 ? undefined : valueIn(code, path);
  };
}

function valueIn({ program, evaluator }: CodeFile, path: readonly string[]): ReturnType<NamedValue> {
  let expr = exported(program);
  for (const key of path) expr = expr && evaluator.field(evaluator.resolve(expr), key);
  const value = expr && evaluator.value(expr);
  if (value === undefined) return undefined;
  if (!value.ok) return { missing: value.missing };
  return value.value === null ? undefined : { text: String(value.value) };
}
