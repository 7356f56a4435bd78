import { SMALL_YOUNG_SPACE } from '@devdb/shared/node-flags';

/** Sets what the extension gives on the command line. Before the bundle is loaded: V8 keeps compiled code by its flags. */
export function keepYoungSpaceSmall(): void {
  // Electron may have frozen the flags of its V8, which then ends a process that sets one.
  if (process.versions['electron'] !== undefined) return;
  // Not imported: `devdb mcp` passes through the same file and has no time for it.
  process.getBuiltinModule('node:v8').setFlagsFromString(SMALL_YOUNG_SPACE);
}
