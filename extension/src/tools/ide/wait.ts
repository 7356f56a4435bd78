import { setTimeout as pause } from 'node:timers/promises';
import type { Handler } from '@devdb/shared/tools';
import type { EditorContext } from '../editor-context.ts';

export const wait: Handler<'wait', EditorContext> = async ({ milliseconds }, { signal, unlessEnded }) => {
  await unlessEnded(pause(milliseconds, undefined, { signal }));
  return { result: 'ok' };
};
