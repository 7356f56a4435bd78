import type { Handler } from '@devdb/shared/tools';
import type { EditorContext } from '../editor-context.ts';

export const getCommandOutput: Handler<'get_command_output', EditorContext> = async (_input, { root, terminals }) => {
  const run = (await terminals()).last(root);
  if (run === undefined) return { status: 'none', output: '', truncated: false };
  const { status, text, exitCode, truncated } = run.state;
  const { command } = run;
  return { status, output: text, ...(exitCode === undefined ? {} : { exitCode }), command, truncated };
};
