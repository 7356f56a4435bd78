import { AppError } from '@devdb/shared/errors';
import { type FinalChange, finalChangeOf } from '@devdb/shared/final-change';
import type { ToolDefinition } from '@devdb/shared/tools';
import { type Applied, isEditorChange, withApplied } from '../applied.ts';
import type { Call, Run } from '../dispatch.ts';
import { type Editor, notAttached } from '../editor.ts';
import { CHANGE_SETTLE_MS, MAX_AGREED_CHANGES } from '../limits.ts';

export interface EditorRunnerParts {
  readonly root: string;
  readonly editor: Editor | undefined;
  /** Returns when the user has agreed to a change that turned out to be final. */
  readonly agree: (
    change: FinalChange,
    tool: ToolDefinition,
    input: Record<string, unknown>,
    call: Call,
  ) => Promise<void>;
}

/** Runs tools in the editor of a project's window. A change that was aborted reports how far it got. */
export function editorRunner({ root, editor, agree }: EditorRunnerParts): (tool: ToolDefinition) => Run {
  return (tool) => async (input, call) => {
    if (!editor?.attached) throw notAttached();
    const isChange = isEditorChange(tool);
    const { clientId: id, clientName: name, progress } = call.caller;
    const settleMs = isChange ? CHANGE_SETTLE_MS : 0;
    const params = { root, tool: tool.name, input, client: { id, name }, progress, settleMs };
    if (!isChange) return editor.run(params, call.deadline.signal);
    let agreed: FinalChange | undefined;
    for (let asked = 0; ; asked += 1) {
      try {
        const run = agreed === undefined ? params : { ...params, agreed };
        return await knownOutcome(editor.run(run, call.deadline.signal), call);
      } catch (error) {
        const change = finalChangeOf(error);
        if (change === undefined || asked === MAX_AGREED_CHANGES) throw error;
        await agree(change, tool, input, call);
        agreed = change;
      }
    }
  };
}

/** The outcome of a change. When aborted, it fails with the reason and with whether the change was still applied. */
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

/** What the editor reported. With a broken pipe or a handler that reported nothing, it stays unknown. */
function appliedOf(error: unknown): Applied {
  const said = error instanceof AppError ? error.details?.['applied'] : undefined;
  return typeof said === 'boolean' ? said : 'unknown';
}
