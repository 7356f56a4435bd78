import { posix } from 'node:path';
import type { ServiceEnvironment } from './compose-service.ts';
import type { ProjectView } from './project-view.ts';
import { readDockerfile } from './readers/dockerfile.ts';
import { expand, readTemplate } from './readers/dotenv.ts';
import { at, entriesOf, type Located } from './readers/located.ts';

/** What a service's own image starts from. */
export interface Built {
  readonly image: string;
  readonly environment: ServiceEnvironment;
}

/** The image that a service is built from, as its Dockerfile in the project says. */
export async function builtFrom(
  project: ProjectView,
  folder: string,
  build: Located,
  put: (value: Located | undefined) => string | undefined,
): Promise<Built | undefined> {
  const context = put(build.kind === 'object' ? at(build, 'context') : build) ?? '.';
  const name = put(at(build, 'dockerfile')) ?? 'Dockerfile';
  // A context may also be a repository of the network.
  if (context.includes('://') || [context, name].some((path) => posix.isAbsolute(path))) return undefined;
  const file = posix.normalize(posix.join(folder, context, name));
  if (file.startsWith('..')) return undefined;
  const read = await project.read(file);
  const dockerfile = read.state === 'text' ? readDockerfile(read.text, put(at(build, 'target'))) : undefined;
  if (dockerfile === undefined) return undefined;
  const given = entriesOf(at(build, 'args')).map(([key, value]) => [key, put(value)] as const);
  const args: ServiceEnvironment = new Map<string, string | undefined>([...dockerfile.args, ...given]);
  const filled = (text: string) => expand(readTemplate(text), (key) => definition(key, args.get(key)));
  const environment = [...dockerfile.environment].flatMap(([key, text]) => {
    const { value, missing } = filled(text);
    return missing.length > 0 ? [] : [[key, value] as const];
  });
  return { image: filled(dockerfile.image).value, environment: new Map(environment) };
}

function definition(name: string, text: string | undefined) {
  return text === undefined ? undefined : { name, line: 0, segments: [{ kind: 'text' as const, text }] };
}
