import type { BreakpointInput } from './breakpoints.ts';

/** What an adapter has to be able to do for each of the parts. */
const CAPABILITIES = {
  condition: 'supportsConditionalBreakpoints',
  hitCondition: 'supportsHitConditionalBreakpoints',
  logMessage: 'supportsLogPoints',
} as const satisfies Record<keyof BreakpointInput, string>;

/** What a debugger makes of a breakpoint whose parts it does not all support: it stops where it should not. */
export function passedOver(
  type: string,
  capabilities: Readonly<Record<string, unknown>>,
  input: BreakpointInput,
): string | undefined {
  const parts = (['condition', 'hitCondition', 'logMessage'] as const).filter(
    (part) => input[part] !== undefined && capabilities[CAPABILITIES[part]] !== true,
  );
  if (parts.length === 0) return undefined;
  return `The debugger ${type} passes over ${parts.join(' and ')}: the program stops here at every hit.`;
}
