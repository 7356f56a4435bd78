import type { Handler } from '@devdb/shared/tools';
import { folderContent } from '../../editor/list-folder.ts';
import { existingFolder } from '../../editor/paths.ts';
import { listed } from '../../editor/search/found.ts';
import type { EditorContext } from '../editor-context.ts';

export const listFilesInFolder: Handler<'list_files_in_folder', EditorContext> = async (
  { pathInProject, limit },
  { root, signal },
) => {
  const { entries, isCut } = await folderContent(root, existingFolder(root, pathInProject), signal);
  const { kept, ...cut } = listed(entries, limit, { isCut });
  return { entries: kept, ...cut };
};
