import { AppError } from '@devdb/shared/errors';
import { type FinalChange, finalChangeOf } from '@devdb/shared/final-change';
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
  /** The change that turned out to be final, and how often another one was asked about instead. */
  readonly final: FinalChange | undefined;
  readonly asked: number;
}

/** Runs tools in the editor of a project's window. What the editor refuses without a yes is asked about and run again. */
export function editorRunner({ root, editor, approval }: EditorRunnerParts): (tool: ToolDefinition) => Run {
  return (tool) => async (input, call) => {
    let agreed: Agreed = { approved: !approval.isLeftToEditor(tool, input, call), final: undefined, asked: 0 };
    for (;;) {
      try {
        return await runOnce({ root, editor, tool, input, agreed }, call);
      } catch (error) {
        agreed = await askAbout(error, agreed, approval, tool, input, call);
      }
    }
  };
}

/** Asks about what the editor refused, again where that is another change by now; any other error is the call's. */
async function askAbout(
  error: unknown,
  agreed: Agreed,
  approval: LateApproval,
  tool: ToolDefinition,
  input: Record<string, unknown>,
  call: Call,
): Promise<Agreed> {
  if (!(error instanceof AppError) || error.code !== 'E_CONFIRMATION_REQUIRED') throw error;
  const change = finalChangeOf(error);
  try {
    if (change !== undefined && agreed.asked < MAX_AGREED_CHANGES) {
      await approval.askFinal(change, tool, input, call);
      return { ...agreed, final: change, asked: agreed.asked + 1 };
    }
    if (change === undefined && !agreed.approved) {
      await approval.ask(tool, input, call);
      return { ...agreed, approved: true };
    }
  } catch (refusal) {
    throw notBegun(refusal);
  }
  throw error;
}

interface OneRun {
  readonly root: string;
  readonly editor: Editor | undefined;
  readonly tool: ToolDefinition;
  readonly input: Record<string, unknown>;
  readonly agreed: Agreed;
}

async function runOnce({ root, editor, tool, input, agreed }: OneRun, call: Call): Promise<unknown> {
  if (!editor?.attached) throw notAttached();
  const isChange = isEditorChange(tool);
  const { clientId: id, clientName: name, progress } = call.caller;
  const { approved, final } = agreed;
  const running = editor.run(
    {
      root,
      tool: tool.name,
      input,
      client: { id, name },
      approved,
      progress,
      settleMs: isChange ? CHANGE_SETTLE_MS : 0,
      ...(final === undefined ? {} : { agreed: final }),
    },
    call.deadline.signal,
  );
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
