import { SMALL_YOUNG_SPACE } from '@devdb/shared/node-flags';

/**
 * Sets what the extension gives on the command line as well, for the editor's own binary. In every process that loads the
 * bundle, and before it does: V8 takes compiled code of an earlier run only where the same flags were set in the same way.
 */
export function keepYoungSpaceSmall(): void {
  // Electron may have frozen the flags of its V8, which then ends a process that sets one.
  if (process.versions['electron'] !== undefined) return;
  // Not imported: `devdb mcp` passes through the same file and has no time for it. The first of Node 22 do not know the call.
  process.getBuiltinModule?.('node:v8').setFlagsFromString(SMALL_YOUNG_SPACE);
}
