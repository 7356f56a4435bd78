import { AppError, type ErrorCode } from '@devdb/shared/errors';
import type { DebugSession } from 'vscode';
import type * as z from 'zod';
import { bringSooner } from './held-back.ts';
import type { Member } from './session-group.ts';

/** A session that can be asked. */
export interface Asked extends Pick<Member, 'record'> {
  readonly session: Pick<DebugSession, 'customRequest' | 'type'>;
}

/** Asks a session's debug adapter. What it refuses is the given code, in the adapter's own words. */
export async function askAdapter<T>(
  { session, record }: Asked,
  command: string,
  args: object,
  schema: z.ZodType<T>,
  code: ErrorCode = 'E_NOT_PAUSED',
): Promise<T> {
  const heard = record.overheard.listen(command, args);
  const asked = Promise.resolve(session.customRequest(command, args)).finally(heard.dispose);
  const nudging = bringSooner(session, command);
  const body: unknown = await refusedAs(code, Promise.race([heard.answer, asked])).finally(nudging.dispose);
  const { data, error } = schema.safeParse(body);
  if (error !== undefined)
    throw new Error(`The debug adapter ${session.type} answered ${command} in a way that was not understood.`, {
      cause: error,
    });
  return data;
}

/** The same for a request whose answer says nothing more. */
export async function tellAdapter({ session }: Member, command: string, args: object, code: ErrorCode): Promise<void> {
  await refusedAs(code, session.customRequest(command, args));
}

const HINTS: Partial<Record<ErrorCode, string>> = {
  E_NOT_PAUSED: 'The program may have run on meanwhile: debug_status says where it is.',
  E_EVALUATE_FAILED: 'Correct the expression, in the language of the program; debug_stack gives frames to evaluate in.',
  E_SET_FAILED: 'Write the value as the program’s language has it, e.g. a string in quotes.',
  E_INVALID_REFERENCE: 'References hold until the program runs on: get new ones from debug_stack or debug_scopes.',
};

async function refusedAs(code: ErrorCode, asked: Thenable<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(code, message === '' ? 'The debug adapter refused without a reason.' : message, {
      hint: HINTS[code],
      cause,
    });
  }
}

/** Whether the adapter said at the start that it can do something. */
export function can({ record }: Member, capability: string): boolean {
  return record.capabilities[capability] === true;
}
