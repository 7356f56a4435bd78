import { AppError } from '@devdb/shared/errors';
import { CHANGE_SETTLE_MS } from '@devdb/shared/limits';
import type { ToolDefinition } from '@devdb/shared/tools';
import { type Applied, isEditorChange, notBegun, withApplied } from '../applied.ts';
import type { Call, Run } from '../dispatch.ts';
import { type Editor, notAttached } from '../editor.ts';

/** The part of the policy that only the editor can judge. */
export interface LateApproval {
  /** Whether the editor says first if an earlier yes covers the call. */
  readonly isLeftToEditor: (tool: ToolDefinition, input: Record<string, unknown>, call: Call) => boolean;
  /** Returns when the user agreed. */
  readonly ask: (tool: ToolDefinition, input: Record<string, unknown>, call: Call) => Promise<void>;
}

/** Runs tools in the editor of a project's window, and says of a change that was ended how far it got. */
export function editorRunner(
  root: string,
  editor: Editor | undefined,
  approval: LateApproval,
): (tool: ToolDefinition) => Run {
  return (tool) => async (input, call) => {
    const run = (approved: boolean) => runOnce({ root, editor, tool, input, approved }, call);
    if (!approval.isLeftToEditor(tool, input, call)) return run(true);
    try {
      return await run(false);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'E_CONFIRMATION_REQUIRED') throw error;
    }
    try {
      await approval.ask(tool, input, call);
    } catch (error) {
      throw notBegun(error);
    }
    return run(true);
  };
}

interface OneRun {
  readonly root: string;
  readonly editor: Editor | undefined;
  readonly tool: ToolDefinition;
  readonly input: Record<string, unknown>;
  readonly approved: boolean;
}

async function runOnce({ root, editor, tool, input, approved }: OneRun, call: Call): Promise<unknown> {
  if (!editor?.attached) throw notAttached();
  const isChange = isEditorChange(tool);
  const { clientId: id, clientName: name, progress } = call.caller;
  const settleMs = isChange ? CHANGE_SETTLE_MS : 0;
  const running = editor.run(
    { root, tool: tool.name, input, client: { id, name }, approved, progress, settleMs },
    call.deadline.signal,
  );
  return isChange ? knownOutcome(running, call) : running;
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
