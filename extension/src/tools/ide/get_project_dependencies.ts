import type { Handler } from '@devdb/shared/tools';
import { readManifests } from '../../editor/manifests/read-manifests.ts';
import { listed } from '../../editor/search/found.ts';
import type { EditorContext } from '../editor-context.ts';

export const getProjectDependencies: Handler<'get_project_dependencies', EditorContext> = async (_input, context) => {
  const { manifests, note, isCut } = await readManifests(context.root, context);
  const names = [...new Set(manifests.flatMap(({ dependencies }) => dependencies))].sort();
  const { kept, ...cut } = listed(names, undefined, { isCut, note });
  return { dependencies: kept, ...cut };
};
