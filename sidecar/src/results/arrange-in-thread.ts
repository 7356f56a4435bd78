import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
    const folder = dirname(request.runsPath);
    for (const name of readdirSync(folder)) {
      if (name.startsWith(`${basename(request.runsPath)}.`)) rmSync(join(folder, name), { force: true });
    }
  }
}
