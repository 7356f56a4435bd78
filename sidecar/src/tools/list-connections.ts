import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const listConnections: Handler<'list-connections', ToolContext> = (_input, context) => context.connections();
