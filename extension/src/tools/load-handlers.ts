// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { Toolset } from '@devdb/shared/tools/toolsets';

/** Loads the handlers of a toolset; one without tools in the editor is not here. */
export const loadHandlers: Partial<Record<Toolset, () => Promise<object>>> = {
  refactor: async () => (await import('./refactor/index.ts')).handlers,
  code: async () => (await import('./code/index.ts')).handlers,
  debug: async () => (await import('./debug/index.ts')).handlers,
  trace: async () => (await import('./trace/index.ts')).handlers,
  ide: async () => (await import('./ide/index.ts')).handlers,
};
