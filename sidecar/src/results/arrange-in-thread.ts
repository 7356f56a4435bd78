import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_MODE } from '../host/home.ts';
import { askThread } from '../host/thread.ts';
import type { ArrangeRequest } from './arrange-file.ts';
import { ARRANGE_HEAP_MB } from './limits.ts';
import { RowOrder } from './row-order.ts';

/**
 * Sorts and filters a result in a thread of its own, which no call of an agent waits for. One that ends it leaves no
 * file.
 */
export async function arrangeInThread(
  request: ArrangeRequest,
  bundleDir: string,
  signal: AbortSignal,
): Promise<RowOrder> {
  mkdirSync(request.runsFolder, { mode: FOLDER_MODE });
  try {
    const length: number = await askThread(join(bundleDir, 'arranging-thread.js'), request, {
      signal,
      heapMb: ARRANGE_HEAP_MB,
    });
    return await RowOrder.open(request.orderPath, length);
  } catch (error) {
    rmSync(request.orderPath, { force: true });
    throw error;
  } finally {
    // A thread that was ended has had no time to tidy up.
    rmSync(request.runsFolder, { recursive: true, force: true });
  }
}
