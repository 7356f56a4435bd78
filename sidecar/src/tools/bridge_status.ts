import type { Handler } from '@devdb/shared/tools';
import { VERSION } from '../host/version.ts';
import type { ToolContext } from './tool-context.ts';

export const bridgeStatus: Handler<'bridge_status', ToolContext> = async (_input, { projectRoot, editor, signal }) => {
  const { attached, name, goneAt, answers } = editor;
  return {
    healthy: attached && (await answers(signal)),
    attached,
    window: projectRoot,
    ...(name === undefined ? {} : { editor: name }),
    version: VERSION,
    ...(goneAt === undefined ? {} : { lastSeen: goneAt.toISOString() }),
  };
};
