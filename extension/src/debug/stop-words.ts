import type * as z from 'zod';
import type { exceptionInfoBody, stoppedEvent } from './dap.ts';

/** Why a program stopped. LLDB pauses it with a signal and tells that as an exception. */
export function reasonOf({ reason, description, text }: z.output<typeof stoppedEvent>): string {
  return reason === 'exception' && (text ?? description) === 'signal SIGSTOP' ? 'pause' : reason;
}

type ExceptionInfo = z.output<typeof exceptionInfoBody>;

/** What was thrown, with its type: adapters put that into the description, or beside it. */
export function thrownText({ exceptionId, description }: ExceptionInfo): string {
  if (description === undefined || description === null || description === '') return exceptionId;
  return description.includes(exceptionId) ? description : `${exceptionId}: ${description}`;
}

/** The same with the calls that led there, which not every adapter begins with what was thrown. */
export function thrownTrace(info: ExceptionInfo): string {
  const trace = info.details?.stackTrace;
  if (trace === undefined || trace === null || trace === '') return thrownText(info);
  const said = info.description ?? info.exceptionId;
  return trace.includes(said) ? trace : `${thrownText(info)}\n${trace}`;
}
