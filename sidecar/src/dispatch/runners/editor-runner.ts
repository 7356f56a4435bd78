import { AppError } from '@devdb/shared/errors';
import type { FinalChange } from '@devdb/shared/final-change';
import { finalChangeOf } from '@devdb/shared/final-change-schema';
import type { ToolDefinition } from '@devdb/shared/tools';
import { type Applied, isEditorChange, notBegun, withApplied } from '../applied.ts';
import type { Call, Run } from '../dispatch.ts';
import { type Editor, notAttached } from '../editor.ts';
import { CHANGE_SETTLE_MS, MAX_AGREED_CHANGES } from '../limits.ts';

/** The part of the policy that only the editor can judge. */
export interface LateApproval {
  /** Whether the editor first decides if an earlier yes covers the call. */
  readonly isLeftToEditor: (tool: ToolDefinition, input: Record<string, unknown>, call: Call) => boolean;
  /** Returns when the user has agreed to the call. */
  readonly ask: (tool: ToolDefinition, input: Record<string, unknown>, call: Call) => Promise<void>;
  /** Returns when the user has agreed to a change that turned out to be final. */
  readonly askFinal: (
    change: FinalChange,
    tool: ToolDefinition,
    input: Record<string, unknown>,
    call: Call,
  ) => Promise<void>;
}

export interface EditorRunnerParts {
  readonly root: string;
  readonly editor: Editor | undefined;
  readonly approval: LateApproval;
}

/** What the user has agreed to by now. */
interface Agreed {
  readonly approved: boolean;
  readonly change?: FinalChange;
}

interface EditorRun {
  readonly tool: ToolDefinition;
  readonly input: Record<string, unknown>;
  readonly call: Call;
}

/** Runs tools in the editor of a project's window. What the editor refuses without a yes is asked about and run again. */
export function editorRunner(parts: EditorRunnerParts): (tool: ToolDefinition) => Run {
  const { approval } = parts;
  return (tool) => async (input, call) => {
    const run = { tool, input, call };
    let agreed: Agreed = { approved: !approval.isLeftToEditor(tool, input, call) };
    for (let asked = 0; ; asked += 1) {
      try {
        return await runOnce(parts, run, agreed);
      } catch (error) {
        if (asked === MAX_AGREED_CHANGES) throw error;
        agreed = await askAbout(error, agreed, approval, run);
      }
    }
  };
}

/** Asks about what the editor refused; any other error is the call's. */
async function askAbout(
  error: unknown,
  agreed: Agreed,
  approval: LateApproval,
  { tool, input, call }: EditorRun,
): Promise<Agreed> {
  const change = finalChangeOf(error);
  const isUnapproved = error instanceof AppError && error.code === 'E_CONFIRMATION_REQUIRED' && !agreed.approved;
  if (change === undefined && !isUnapproved) throw error;
  try {
    if (change === undefined) {
      await approval.ask(tool, input, call);
      return { ...agreed, approved: true };
    }
    await approval.askFinal(change, tool, input, call);
    return { ...agreed, change };
  } catch (refusal) {
    throw notBegun(refusal);
  }
}

async function runOnce(
  { root, editor }: EditorRunnerParts,
  { tool, input, call }: EditorRun,
  { approved, change }: Agreed,
): Promise<unknown> {
  if (!editor?.attached) throw notAttached();
  const isChange = isEditorChange(tool);
  const { clientId: id, clientName: name, progress } = call.caller;
  const params = { root, tool: tool.name, input, client: { id, name }, approved, progress };
  const settleMs = isChange ? CHANGE_SETTLE_MS : 0;
  const agreed = change === undefined ? {} : { agreed: change };
  const running = editor.run({ ...params, settleMs, ...agreed }, call.deadline.signal);
  return isChange ? knownOutcome(running, call) : running;
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
