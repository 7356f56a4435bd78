import { AppError } from '@devdb/shared/errors';
import { can, tellAdapter } from './ask-adapter.ts';
import { exceptionFilters } from './dap.ts';
import { noProcess } from './frames.ts';
import type { SessionGroup } from './session-group.ts';

/** Chooses the exceptions that stop a program, in each of its processes. */
export async function setExceptionFilters(
  group: SessionGroup,
  filters: readonly string[],
  condition: string | undefined,
) {
  const member = group.foremost;
  if (member === undefined) throw noProcess();
  const offered = exceptionFilters.safeParse(member.record.capabilities['exceptionBreakpointFilters']).data ?? [];
  const unknown = filters.find((filter) => !offered.some((one) => one.filter === filter));
  const known = offered.map((one) => one.filter);
  if (unknown !== undefined) throw notOffered(`The debugger has no exception filter "${unknown}".`, known);
  if (condition !== undefined && !can(member, 'supportsExceptionFilterOptions'))
    throw notOffered('The debugger takes no condition for exceptions.', known);
  const args =
    condition === undefined
      ? { filters }
      : { filters: [], filterOptions: filters.map((filterId) => ({ filterId, condition })) };
  const running = group.members.filter(({ record }) => record.endedAt === undefined && record.launched);
  for (const one of running) await tellAdapter(one, 'setExceptionBreakpoints', args, 'E_NOT_SUPPORTED');
  return {
    filters: [...filters],
    offered: offered.map(({ filter, label }) => ({ filter, ...(label === undefined ? {} : { label }) })),
  };
}

function notOffered(message: string, known: readonly string[]): AppError {
  return new AppError('E_NOT_SUPPORTED', message, {
    hint: known.length === 0 ? 'It offers no filters.' : `It offers: ${known.join(', ')}.`,
    details: { offered: known },
  });
}
