import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { runConfigurations } from '../../editor/run-configurations.ts';
import type { EditorContext } from '../editor-context.ts';

const MORE = 'launch.json, tasks.json and package.json have all of them.';

export const getRunConfigurations: Handler<'get_run_configurations', EditorContext> = async (_input, context) => {
  const found = await context.unlessEnded(runConfigurations(context.root, context.signal));
  const names = found.map(({ name }) => name);
  const { kept, ...cut } = cappedList(names, { bytes: bytesFor(undefined), more: MORE });
  return { configurations: [...kept], ...cut };
};
