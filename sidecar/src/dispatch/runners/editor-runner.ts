import { AppError } from '@devdb/shared/errors';
import type { ToolDefinition } from '@devdb/shared/tools';
import { type Applied, isEditorChange, withApplied } from '../applied.ts';
import type { Call, Run } from '../dispatch.ts';
import { type Editor, notAttached } from '../editor.ts';
import { CHANGE_SETTLE_MS } from '../limits.ts';

/** Runs tools in the editor of a project's window, and says of a change that was ended how far it got. */
export function editorRunner(root: string, editor: Editor | undefined): (tool: ToolDefinition) => Run {
  return (tool) => async (input, call) => {
    if (!editor?.attached) throw notAttached();
    const isChange = isEditorChange(tool);
    const { clientId: id, clientName: name, progress } = call.caller;
    const settleMs = isChange ? CHANGE_SETTLE_MS : 0;
    const running = editor.run(
      { root, tool: tool.name, input, client: { id, name }, progress, settleMs },
      call.deadline.signal,
    );
    return isChange ? knownOutcome(running, call) : running;
  };
}

/** The answer of a change. One that was ended meanwhile answers why, and whether it was applied all the same. */
function knownOutcome(running: Promise<unknown>, { deadline: { signal } }: Call): Promise<unknown> {
  return running.then(
    (data) => {
      if (signal.aborted) throw withApplied(signal.reason, true);
      return data;
    },
    (error: unknown) => {
      throw withApplied(signal.aborted ? signal.reason : error, appliedOf(error));
    },
  );
}

/** What the editor said of it. A pipe that broke and a handler that said nothing leave it unknown. */
function appliedOf(error: unknown): Applied {
  const said = error instanceof AppError ? error.details?.['applied'] : undefined;
  return typeof said === 'boolean' ? said : 'unknown';
}
