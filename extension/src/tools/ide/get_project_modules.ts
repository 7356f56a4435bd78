import type { Handler } from '@devdb/shared/tools';
import { modulesOf } from '../../editor/manifests/modules.ts';
import { readManifests } from '../../editor/manifests/read-manifests.ts';
import { listed } from '../../editor/search/found.ts';
import type { EditorContext } from '../editor-context.ts';

export const getProjectModules: Handler<'get_project_modules', EditorContext> = async (_input, context) => {
  const { manifests, note, isCut } = await readManifests(context.root, context);
  const { kept, ...cut } = listed(modulesOf(manifests), undefined, { isCut, note });
  return { modules: [...new Set(kept.map(({ name }) => name))], details: kept, ...cut };
};
