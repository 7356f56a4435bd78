import { AppError } from '@devdb/shared/errors';
import type { Handler } from '@devdb/shared/tools';
import { runConfigurations, whatRuns } from '../../editor/run-configurations.ts';
import type { EditorContext } from '../editor-context.ts';

const NAMED = 20;

export const runConfiguration: Handler<'run_configuration', EditorContext> = async ({ configName }, context) => {
  const all = await context.unlessEnded(runConfigurations(context.root, context.signal));
  const found = all.find(({ name }) => name === configName);
  if (found === undefined) throw notFound(configName, all);
  context.checkAgreed({ title: configName, statement: whatRuns(found, all) });
  await context.unlessEnded(context.change(found.start));
  return { result: 'Run configuration started' };
};

function notFound(wanted: string, all: readonly { readonly name: string }[]): AppError {
  const names = all.slice(0, NAMED).map(({ name }) => JSON.stringify(name));
  return new AppError('E_NOT_FOUND', `Could not find run configuration named "${wanted}"`, {
    hint:
      names.length === 0
        ? 'The project has none: no launch.json, no tasks and no scripts.'
        : `There are: ${names.join(', ')}${all.length > NAMED ? ', and more that get_run_configurations lists' : ''}.`,
  });
}
