import { askAdapter } from './ask-adapter.ts';
import { evaluateBody } from './dap.ts';
import type { Asker, Debugger } from './debugger.ts';
import { notPaused, referred, topFrame } from './frames.ts';
import type { Member } from './session-group.ts';

/** Where an expression is evaluated. */
export interface EvaluationPlace {
  readonly member: Member;
  readonly frameId: number;
}

export interface Evaluated {
  readonly result: string;
  readonly type?: string | undefined;
  readonly variablesReference: number;
  readonly namedVariables?: number | undefined;
  readonly indexedVariables?: number | undefined;
}

/** The frame that is meant: by its number, else where the program stands. */
export async function whereTo(
  debug: Debugger,
  asker: Asker,
  { frameId, sessionId }: { readonly frameId?: number | undefined; readonly sessionId?: string | undefined },
): Promise<EvaluationPlace> {
  if (frameId !== undefined) {
    const { member, id } = referred(debug, asker, frameId, 'frame');
    return { member, frameId: id };
  }
  const group = debug.sessionFor(asker, sessionId);
  if (group.stopped === undefined) throw notPaused(group);
  const { member, frame } = await topFrame(group);
  return { member, frameId: frame.id };
}

export function evaluate(
  { member, frameId }: EvaluationPlace,
  expression: string,
  context: string,
): Promise<Evaluated> {
  return askAdapter(member, 'evaluate', { expression, frameId, context }, evaluateBody, 'E_EVALUATE_FAILED');
}

/** What can be asked about a result further. */
export function resultFacts(debug: Debugger, { record }: Member, result: Omit<Evaluated, 'result'>) {
  const { type, variablesReference: id, namedVariables, indexedVariables } = result;
  return {
    ...(type === undefined || type === '' ? {} : { type }),
    ...(id > 0
      ? { variablesReference: debug.handles.give({ owner: record, kind: 'variables', id, indexed: indexedVariables }) }
      : {}),
    ...(namedVariables === undefined ? {} : { namedVariables }),
    ...(indexedVariables === undefined ? {} : { indexedVariables }),
  };
}
