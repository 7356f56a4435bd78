import { join, posix } from 'node:path';
import type { Handler } from '@devdb/shared/tools';
import { listed } from '../../editor/search/found.ts';
import { filesNamed } from '../../editor/search/search.ts';
import type { EditorContext } from '../editor-context.ts';

export const findFilesByNameSubstring: Handler<'find_files_by_name_substring', EditorContext> = async (
  { nameSubstring, limit },
  context,
) => {
  const wanted = nameSubstring.toLowerCase();
  const fits = (path: string) => posix.basename(path).toLowerCase().includes(wanted);
  const { paths, ...found } = await filesNamed(context.root, { fits }, context);
  const files = paths.map((path) => ({
    path,
    name: posix.basename(path),
    directory: posix.dirname(path),
    absolutePath: join(context.root, path),
  }));
  const { kept, ...cut } = listed(files, limit, found);
  return { files: kept, ...cut };
};
