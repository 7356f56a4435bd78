import { AppError } from '@devdb/shared/errors';
import { nameText, plain } from '@devdb/shared/plain-text';
import { questionOf } from '@devdb/shared/protocol';
import type { ApprovalsPolicy } from '@devdb/shared/protocol/handshake';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Approval } from '@devdb/shared/tools/define-tool';
import { isEditorChange } from './applied.ts';
import type { Approvals, Ask } from './approvals.ts';
import type { Call } from './dispatch.ts';

/** What the window's settings say about tools. */
export interface PolicySettings {
  /** In a workspace that is not trusted only read-only tools run. */
  readonly trusted: boolean;
  readonly approvals: ApprovalsPolicy;
}

/** Who may run what now: trust, and the user's approval of changes in the editor. */
export class Policy {
  readonly #approvals: Approvals;

  constructor(approvals: Approvals) {
    this.#approvals = approvals;
  }

  /** Returns when the call may run. `dialog` asks the user in front of the editor, where there is one. */
  async check(
    { trusted, approvals }: PolicySettings,
    tool: ToolDefinition,
    input: Record<string, unknown>,
    call: Call,
    dialog: Ask | undefined,
  ): Promise<void> {
    if (!trusted && !tool.annotations.readOnlyHint) throw untrusted(`${tool.name} is not run`);
    const { approval } = tool;
    if (approval === undefined && isEditorChange(tool))
      throw new Error(`${tool.name} says nothing about its approval.`);
    if (approval === undefined || !needsYes(approvals, tool, approval, input)) return;
    if (approvals === 'deny') throw denied(tool);
    if (this.isLeftToEditor({ approvals }, tool, input, call)) return;
    await this.ask(tool, input, call, dialog);
  }

  /** Whether the editor first says if the call is about a debug session whose start was approved. */
  isLeftToEditor(
    { approvals }: Pick<PolicySettings, 'approvals'>,
    tool: ToolDefinition,
    input: Record<string, unknown>,
    { caller }: Call,
  ): boolean {
    const { approval } = tool;
    if (!approval?.inOwnSession || approvals !== 'ask' || caller.confirmed) return false;
    return needsYes(approvals, tool, approval, input);
  }

  /** Returns when the user agreed. */
  async ask(tool: ToolDefinition, input: Record<string, unknown>, call: Call, dialog: Ask | undefined): Promise<void> {
    // The editor has put its own question about this very call.
    if (call.caller.confirmed) return;
    const { approval } = tool;
    if (approval === undefined) throw new Error(`${tool.name} says nothing about its approval.`);
    await this.#approvals.confirm(
      call.caller,
      dialog,
      {
        subject: `${tool.name} ${approval.covers(input)}`,
        question: async () =>
          questionOf({ kind: 'change', title: plain`DevDB: ${nameText(tool.title)}`, ...approval.question(input) }),
        unasked: {
          message: `${tool.name} needs the user's approval, and nobody could be asked. Nothing was changed.`,
          hint: 'Tell the user what you wanted to do; they can do it themselves, or ask again with the project open in VS Code.',
        },
      },
      call.deadline,
    );
  }
}

/** The error of everything that an untrusted workspace does not get. */
export function untrusted(what: string): AppError {
  return new AppError('E_UNTRUSTED_WORKSPACE', `${what}: the workspace is not trusted.`, {
    hint: 'The user can trust it in VS Code with "Workspaces: Manage Workspace Trust".',
  });
}

function needsYes(
  policy: ApprovalsPolicy,
  { annotations }: ToolDefinition,
  approval: Approval<Record<string, unknown>>,
  input: Record<string, unknown>,
): boolean {
  if (policy === 'allow') return false;
  if (policy === 'always' || policy === 'deny') return true;
  return approval.isFinal?.(input) ?? annotations.destructiveHint;
}

function denied({ name }: ToolDefinition): AppError {
  return new AppError('E_APPROVAL_DENIED', `${name} changes something, and changes are switched off here.`, {
    hint: 'Describe the change to the user instead; only they can make it or switch changes on.',
    details: { applied: false },
  });
}
