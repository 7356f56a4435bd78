import { AppError } from '@devdb/shared/errors';
import { askAdapter, can } from './ask-adapter.ts';
import { setVariableBody, variablesBody } from './dap.ts';
import type { Asker, Debugger } from './debugger.ts';
import { resultFacts } from './evaluate.ts';
import { referred, scopesOf, topFrame } from './frames.ts';
import type { Member } from './session-group.ts';
import { shortValue } from './variables.ts';

/** What holds a variable: a scope, or the object that it is a field of. */
export interface Holder {
  readonly member: Member;
  readonly variablesReference: number;
}

export interface SetInput {
  readonly name: string;
  readonly variablesReference?: number | undefined;
  readonly sessionId?: string | undefined;
}

/** Finds the holder: the one that is named, else the innermost scope that has the variable. */
export async function holderOf(debug: Debugger, asker: Asker, input: SetInput): Promise<Holder> {
  const { name, variablesReference, sessionId } = input;
  if (variablesReference !== undefined) {
    const { member, id } = referred(debug, asker, variablesReference, 'variables');
    mustSet(member);
    return { member, variablesReference: id };
  }
  const { member, frame } = await topFrame(debug.sessionFor(asker, sessionId));
  mustSet(member);
  for (const scope of (await scopesOf(member, frame.id)).filter(({ expensive }) => expensive !== true)) {
    const args = { variablesReference: scope.variablesReference };
    const { variables } = await askAdapter(member, 'variables', args, variablesBody, 'E_INVALID_REFERENCE');
    if (variables.some((one) => one.name === name)) return { member, variablesReference: scope.variablesReference };
  }
  throw new AppError('E_VARIABLE_NOT_FOUND', `No variable "${name}" where the program stands.`, {
    hint: 'debug_list_variables lists them. For a field pass the variablesReference of its object.',
  });
}

export async function setIn(debug: Debugger, { member, variablesReference }: Holder, name: string, value: string) {
  const args = { variablesReference, name, value };
  const answer = await askAdapter(member, 'setVariable', args, setVariableBody, 'E_SET_FAILED');
  return {
    value: shortValue(answer.value),
    ...resultFacts(debug, member, { ...answer, variablesReference: answer.variablesReference ?? 0 }),
  };
}

function mustSet(member: Member): void {
  if (can(member, 'supportsSetVariable')) return;
  throw new AppError('E_NOT_SUPPORTED', `The debugger ${member.session.type} cannot set variables.`, {
    hint: 'Evaluate an assignment with debug_evaluate.',
  });
}
