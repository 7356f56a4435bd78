import { join } from 'node:path';
import { loadCached } from '@devdb/shared/node/cached-load';
import type { ExtensionContext } from 'vscode';

interface Extension {
  activate(context: ExtensionContext): Promise<void>;
  deactivate(): Promise<void>;
}

// The extension's first file, which loads the rest as compiled at an earlier start: compiling takes longer than
// activating.
const loaded = loadCached(join(import.meta.dirname, 'main.js'));
if (!isExtension(loaded)) throw new Error('This is no build of DevDB. Install the extension again.');

export const { activate, deactivate } = loaded;

function isExtension(value: unknown): value is Extension {
  return typeof value === 'object' && value !== null && 'activate' in value && 'deactivate' in value;
}
