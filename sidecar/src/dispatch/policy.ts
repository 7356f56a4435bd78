import { AppError } from '@devdb/shared/errors';
import { type FinalChange, type FinalReason, keyOf } from '@devdb/shared/final-change';
import { nameText, type PlainText, pathText, plain } from '@devdb/shared/plain-text';
import { questionOf, type SessionScope } from '@devdb/shared/protocol';
import type { ApprovalsPolicy } from '@devdb/shared/protocol/handshake';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { Approval, ChangeQuestion } from '@devdb/shared/tools/define-tool';
import type { Request } from '../tools/tool-context.ts';
import { isEditorChange } from './applied.ts';
import type { Approvals, Ask } from './approvals.ts';
import { callRequest } from './call-question.ts';
import type { Call } from './dispatch.ts';

/** The window's settings that concern tools. */
export interface PolicySettings {
  /** In an untrusted workspace only read-only tools run. */
  readonly trusted: boolean;
  readonly approvals: ApprovalsPolicy;
}

/** Decides which calls may run: workspace trust, and the user's approval of changes in the editor. */
export class Policy {
  readonly #approvals: Approvals;

  constructor(approvals: Approvals) {
    this.#approvals = approvals;
  }

  /** Returns when the call may run. `dialog` asks the editor's user, where there is an editor. */
  async check(
    { trusted, approvals }: PolicySettings,
    tool: ToolDefinition,
    input: Record<string, unknown>,
    call: Call,
    dialog: Ask | undefined,
  ): Promise<void> {
    const { approval } = tool;
    if (!trusted && isChange(tool, input)) throw untrusted(`${tool.name} is not run`);
    if (approval === undefined && isEditorChange(tool))
      throw new Error(`${tool.name} does not define how it is approved.`);
    const refusal = approval?.refusal?.(input);
    if (refusal !== undefined) throw forbidden(refusal);
    const mustBeApproved =
      approval !== undefined && isChange(tool, input) && needsYes(approvals, tool, approval, input);
    if (mustBeApproved && approvals === 'deny') throw denied(tool);
    const asked = this.#approvals.confirmCall(call, dialog, callRequest(tool, input, call.caller));
    if (asked !== undefined) await asked;
    if (!mustBeApproved) return;
    if (this.isLeftToEditor({ approvals }, tool, input, call)) return;
    await this.ask(tool, input, call, dialog);
  }

  /** Whether the editor first decides if the call is about a debug session whose start was approved. */
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
    const { approval } = tool;
    if (approval === undefined) throw new Error(`${tool.name} does not define how it is approved.`);
    // The editor has already asked about this very call, or will say what to ask.
    if (call.caller.confirmed) call.record?.decided({ by: 'editor', answer: 'once' });
    if (call.caller.confirmed || approval.shownByEditor?.(input)) return;
    const covered = approval.covers(input);
    const scope = approval.coversSameOnly ? 'same' : covered === tool.name ? 'tool' : 'kind';
    const request = requestOf(tool, { covered, scope }, approval.question(input));
    await this.#approvals.confirm(call, dialog, request);
  }

  /** The same for a change about which only the editor knows what to ask: what was asked before said nothing of that. */
  async checkFinal(
    { approvals }: PolicySettings,
    { tool, input, change }: FinalCall,
    call: Call,
    dialog: Ask | undefined,
  ): Promise<void> {
    const { approval } = tool;
    if (approvals === 'allow') return;
    if (approvals === 'deny' || approval === undefined) throw denied(tool);
    if (approval.shownByEditor?.(input) && call.caller.confirmed) return;
    const covered = JSON.stringify([approval.covers(input), keyOf(change)]);
    const scope = 'title' in change ? 'same' : 'file';
    const request = requestOf(tool, { covered, scope }, questionAbout(change, approval.question(input)));
    await this.#approvals.confirm(call, dialog, request);
  }
}

function questionAbout(change: FinalChange, { facts, ...question }: ChangeQuestion): ChangeQuestion {
  if ('title' in change) {
    const title = { label: plain`In the editor`, value: nameText(change.title) };
    // A configuration mostly has the name that the input gives it.
    const others = facts.filter(({ value }) => value !== title.value);
    return { ...question, statement: change.statement, facts: [title, ...others] };
  }
  const where = { label: plain`In the project`, value: pathText(change.file) };
  const reasons = change.because.map((reason) => ({ label: plain`Note`, value: REASONS[reason] }));
  return { ...question, facts: [...facts, where, ...reasons] };
}

/** A call of a tool whose change is final. */
export interface FinalCall {
  readonly tool: ToolDefinition;
  readonly input: Record<string, unknown>;
  readonly change: FinalChange;
}

const REASONS = {
  unsaved: plain`It has changes that are not saved. They are replaced too.`,
  'runs-code': plain`Programs run by what stands in this file.`,
} as const satisfies Record<FinalReason, PlainText>;

/** What a yes "for this session" covers: for the gate, and for the user. */
interface Covered {
  readonly covered: string;
  readonly scope: SessionScope;
}

function requestOf(tool: ToolDefinition, { covered, scope }: Covered, question: ChangeQuestion): Request {
  return {
    subject: `${tool.name} ${covered}`,
    question: async () =>
      questionOf({
        kind: 'change',
        session: scope,
        title: plain`DevDB: ${nameText(tool.title)}`,
        ...question,
      }),
    unasked: async () => ({
      message: `${tool.name} needs the user's approval, and no user could be asked. Nothing was changed.`,
      hint: 'Tell the user what you wanted to do; they can do it themselves, or ask again with the project open in VS Code.',
    }),
  };
}

/** The error of everything that is off in an untrusted workspace. */
export function untrusted(what: string): AppError {
  return new AppError('E_UNTRUSTED_WORKSPACE', `${what}: the workspace is not trusted.`, {
    hint: 'The user can trust it in VS Code with "Workspaces: Manage Workspace Trust".',
  });
}

/** A tool that may change something need not do so with every input. */
function isChange({ annotations, approval }: ToolDefinition, input: Record<string, unknown>): boolean {
  return !annotations.readOnlyHint && (approval?.changes?.(input) ?? true);
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

function forbidden(refusal: string): AppError {
  return new AppError('E_FORBIDDEN', refusal, {
    hint: 'Do not look for another way. Tell the user what you wanted; they can do it themselves.',
    details: { applied: false },
  });
}

function denied({ name }: ToolDefinition): AppError {
  return new AppError('E_APPROVAL_DENIED', `${name} makes changes, and changes are switched off here.`, {
    hint: 'Describe the change to the user instead; only they can make it, or switch changes on.',
    details: { applied: false },
  });
}
