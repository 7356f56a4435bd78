import { join } from 'node:path';
import type { Handler } from '@devdb/shared/tools';
import { listed } from '../../editor/search/found.ts';
import { filesWith } from '../../editor/search/search.ts';
import type { EditorContext } from '../editor-context.ts';

export const searchInFilesContent: Handler<'search_in_files_content', EditorContext> = async (
  { searchText, limit },
  context,
) => {
  const { paths, ...found } = await filesWith(context.root, searchText, context);
  const files = paths.map((path) => ({ path, absolutePath: join(context.root, path) }));
  const { kept, ...cut } = listed(files, limit, found);
  return { files: kept, ...cut };
};
