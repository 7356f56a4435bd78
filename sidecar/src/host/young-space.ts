import { SMALL_YOUNG_SPACE } from '@devdb/shared/node-flags';

/**
 * Sets, for the editor's own binary, the flag the extension also passes on the command line. Every process sets it
 * before it loads the bundle: V8 accepts compiled code from an earlier run only where the same flags were set in the
 * same way.
 */
export function keepYoungSpaceSmall(): void {
  // Electron may have frozen V8's flags; setting one would then end the process.
  if (process.versions['electron'] !== undefined) return;
  // Not imported: `devdb mcp` runs through the same file and must start fast. Early versions of Node 22 lack the call.
  process.getBuiltinModule?.('node:v8').setFlagsFromString(SMALL_YOUNG_SPACE);
}
