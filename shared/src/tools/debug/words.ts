import { WAIT_GRACE_MS } from '../../limits.ts';
import { type PlainText, pathText, plain } from '../../plain-text.ts';
import type { Approval, ToolAnnotations, ToolWords } from '../define-tool.ts';

export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
export const SETS: ToolAnnotations = { ...CHANGES, idempotentHint: true };
export const RUNS_CODE: ToolAnnotations = { ...CHANGES, destructiveHint: true, openWorldHint: true };

export const SETS_BREAKPOINTS = {
  effect: 'changes breakpoints',
  beforeRun: 'It changes the breakpoints of this window.',
} as const satisfies ToolWords;

export const MOVES_PROGRAM = {
  effect: 'runs the debugged program on',
  beforeRun: 'It moves the program that is being debugged.',
  afterTimeout: 'The program runs on: wait with debug_wait_for_hit or stop it with debug_pause.',
} as const satisfies ToolWords;

export const RUNS_IN_PROGRAM = {
  effect: 'runs code in the debugged program',
  beforeRun: 'It runs code in the program that is being debugged.',
  afterTimeout: 'The program may still be busy with it; debug_stop ends it.',
} as const satisfies ToolWords;

/** The approval of a change that only an editor can ask about in general: of breakpoints, of where the program goes. */
export function approvedAs(subject: string, ask: PlainText): Approval<Record<string, unknown>> {
  return { question: () => ({ ask, facts: [] }), covers: () => subject };
}

/** The same for what belongs to a debug session: a yes to its start is a yes to this. */
export function approvedInSession(ask: PlainText): Approval<Record<string, unknown>> {
  return { ...approvedAs('debug session', ask), inOwnSession: true };
}

/** The editor cannot bring back breakpoints; it knows whether the user set them, and only then asks. */
export const ASKED_IF_THE_USERS = {
  isFinal: () => true,
  covers: () => 'breakpoints',
  inOwnSession: true,
} as const satisfies Partial<Approval<Record<string, unknown>>>;

export const YOURS_TOO = {
  label: plain`Note`,
  value: plain`Those that you set go too, and the editor cannot bring them back.`,
};

/** The approval of code that is run in a program. */
export function approvedCode<Input extends { readonly expression: string }>(): Approval<Input> {
  return {
    isFinal: () => true,
    question: ({ expression }) => ({
      ask: plain`Evaluate this in the program that is being debugged?`,
      statement: expression,
      facts: [],
    }),
    covers: ({ expression }) => expression,
    inOwnSession: true,
  };
}

/** The gate waits longer than the tool itself. */
export function behindWait({ timeoutMs }: { readonly timeoutMs: number }): number {
  return timeoutMs + WAIT_GRACE_MS;
}

export function pathFact(path: string) {
  return { label: plain`File`, value: pathText(path) };
}
