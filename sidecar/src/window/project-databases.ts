import type { EngineKind } from '@devdb/shared/engines';
import { AppError } from '@devdb/shared/errors';
import type { WindowProjects } from './window-projects.ts';

/** The databases of a project that this window has open. Opens none of them. */
export async function databasesOf(
  projects: Pick<WindowProjects, 'find' | 'bookOf'>,
  root: string,
  signal: AbortSignal,
) {
  const book = projects.bookOf(projects.find(root).root);
  if (book === undefined) throw new AppError('E_PROJECT_NOT_OPEN', `${root} is not open in this window.`);
  return book.list(signal);
}

/** The engine of the database that a text is written for: the chosen one, else the default one. */
export async function engineFor(
  projects: Pick<WindowProjects, 'find' | 'bookOf'>,
  { root, connection }: { readonly root: string; readonly connection?: string | undefined },
  signal: AbortSignal,
): Promise<EngineKind | undefined> {
  const { connections } = await databasesOf(projects, root, signal);
  return connections.find(({ id, isDefault }) => (connection === undefined ? isDefault : id === connection))?.type;
}
